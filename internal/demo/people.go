package demo

import "muster/internal/inventory"

// A member is a person of the organisation. The mailbox is what stands before
// the @ of the address.
type member struct {
	mailbox, first, last string
	title                string
	department, site     int
}

// staff are all members, the technicians first.
var staff = [...]member{
	{"marta.nowak", "Marta", "Nowak", "Support Technician", informationTechnology, hamburg},
	{"kwame.mensah", "Kwame", "Mensah", "Support Technician", informationTechnology, london},

	{"joerg.petersen", "Jörg", "Petersen", "Head of Engineering", engineering, hamburg},
	{"soren.ostergaard", "Søren", "Østergaard", "Design Engineer", engineering, hamburg},
	{"lan.nguyen", "Lan", "Nguyễn", "Test Engineer", engineering, hamburg},
	{"elif.yildiz", "Elif", "Yıldız", "Firmware Engineer", engineering, hamburg},
	{"oliver.hughes", "Oliver", "Hughes", "Design Engineer", engineering, london},
	{"grace.obrien", "Grace", "O'Brien", "Project Engineer", engineering, dublin},
	{"tomasz.wisniewski", "Tomasz", "Wiśniewski", "Plant Manager", production, hamburg},
	{"ilse.vandenberg", "Ilse", "van den Berg", "Shift Supervisor", production, hamburg},
	{"mehmet.oezdemir", "Mehmet", "Özdemir", "Line Planner", production, hamburg},
	{"britta.sjoeberg", "Britta", "Sjöberg", "Quality Inspector", production, goteborg},
	{"lars.aakesson", "Lars", "Åkesson", "Machine Setter", production, goteborg},
	{"amelia.clarke", "Amelia", "Clarke", "Head of Sales", sales, london},
	{"jose.garcia", "José", "García Muñoz", "Account Manager", sales, paris},
	{"chloe.lefevre", "Chloé", "Lefèvre", "Account Manager", sales, paris},
	{"daniel.kim", "Daniel", "Kim", "Account Manager", sales, boston},
	{"aiko.tanaka", "Aiko", "Tanaka", "Sales Assistant", sales, sydney},
	{"priya.raman", "Priya", "Raman", "Account Manager", sales, sydney},
	{"liam.walsh", "Liam", "Walsh", "Service Lead", customerService, dublin},
	{"aoife.ni.dhomhnaill", "Aoife", "Ní Dhomhnaill", "Service Agent", customerService, dublin},
	{"zofia.krol", "Zofia", "Król", "Service Agent", customerService, london},
	{"olena.kovalenko", "Олена", "Коваленко", "Service Agent", customerService, hamburg},
	{"noah.tremblay", "Noah", "Tremblay", "Service Agent", customerService, montreal},
	{"fatima.zahra", "Fatima", "Zahra", "Dispatcher", logistics, hamburg},
	{"jan.dvorak", "Jan", "Dvořák", "Warehouse Lead", logistics, hamburg},
	{"benoit.gagne", "Benoît", "Gagné", "Dispatcher", logistics, montreal},
	{"helene.girard", "Hélène", "Girard", "Head of Finance", finance, paris},
	{"samuel.adeyemi", "Samuel", "Adéyẹmí", "Controller", finance, london},
	{"ruth.goldberg", "Ruth", "Goldberg", "Accountant", finance, boston},
	{"anna.schroeder", "Anna", "Schröder", "Accountant", finance, hamburg},
	{"vikram.iyer", "Vikram", "Iyer", "Network Engineer", informationTechnology, boston},
	{"mei.lin", "美玲", "林", "Research Scientist", research, boston},
	{"carlos.araujo", "Carlos", "Araújo", "Research Scientist", research, boston},
	{"sigridur.jonsdottir", "Sigríður", "Jónsdóttir", "Laboratory Assistant", research, goteborg},
	{"emily.carter", "Emily", "Carter", "Head of Marketing", marketing, boston},
	{"luc.belanger", "Luc", "Bélanger", "Graphic Designer", marketing, montreal},
	{"giulia.derossi", "Giulia", "De Rossi", "Event Manager", marketing, paris},
	{"katharina.weiss", "Katharina", "Weiß", "Head of Human Resources", humanResources, hamburg},
	{"hannah.cohen", "Hannah", "Cohen", "Recruiter", humanResources, london},
}

// Members whose accounts differ from the others'.
const (
	manager = "vikram.iyer"   // administers the installation
	auditor = "ruth.goldberg" // may look, but change nothing
	leaver  = "luc.belanger"  // has left; the account is kept
)

// user returns the account of a member, who is the i-th.
func (m *member) user(i int) *inventory.User {
	place, extension := &sites[m.site], padded(10+i, 2)
	u := inventory.Users.New()
	u.Email = m.email()
	u.FirstName, u.LastName, u.Title = m.first, m.last, m.title
	u.Department, u.Site = departments[m.department], place.name
	u.Phone = place.phone + extension
	if i%2 == 0 && place.mobile != "" {
		u.MobilePhone = place.mobile + extension
	}
	if i < technicians {
		u.Role = inventory.Technician
	}
	if m.mailbox == manager {
		u.Role = inventory.Administrator
	}
	u.ReadOnly.V, u.Disabled.V = m.mailbox == auditor, m.mailbox == leaver
	inventory.Users.Settle(u, nil)
	return u
}

func (m *member) email() string { return m.mailbox + "@" + domain }

// byEmail finds members by their addresses.
var byEmail = func() map[string]*member {
	members := make(map[string]*member, len(staff))
	for i := range staff {
		members[staff[i].email()] = &staff[i]
	}
	return members
}()
