package demo

// domain is the organisation's, reserved for examples by RFC 2606.
const domain = "northmere.example"

// A site is a place of the organisation. Its telephone numbers are of the
// ranges that its country sets aside for films and books.
type site struct {
	name, code    string
	phone, mobile string // all but the last two digits; "" for none
}

// Indices of sites.
const (
	hamburg = iota
	london
	boston
	montreal
	paris
	goteborg
	sydney
	dublin
)

var sites = [...]site{
	hamburg:  {"Hamburg", "HAM", "+49 40 66969 1", "+49 171 39200 "},
	london:   {"London", "LON", "+44 20 7946 01", "+44 7700 9001"},
	boston:   {"Boston", "BOS", "+1 617-555-01", ""},
	montreal: {"Montréal", "MTL", "+1 514-555-01", ""},
	paris:    {"Paris", "PAR", "+33 1 99 00 12 ", "+33 6 39 98 10 "},
	goteborg: {"Göteborg", "GOT", "+46 31 390 06 ", "+46 70 174 06 "},
	sydney:   {"Sydney", "SYD", "+61 2 5550 01", ""},
	dublin:   {"Dublin", "DUB", "+353 20 910 01", ""},
}

// siteShares are the sites by the number of their computers.
var siteShares = []share[int]{
	{30, hamburg}, {18, london}, {14, boston}, {10, montreal}, {10, paris}, {8, goteborg}, {6, sydney}, {4, dublin},
}

// Indices of departments.
const (
	engineering = iota
	production
	sales
	customerService
	logistics
	finance
	informationTechnology
	research
	marketing
	humanResources
)

var departments = [...]string{
	engineering:           "Engineering",
	production:            "Production",
	sales:                 "Sales",
	customerService:       "Customer Service",
	logistics:             "Logistics",
	finance:               "Finance",
	informationTechnology: "Information Technology",
	research:              "Research & Development",
	marketing:             "Marketing",
	humanResources:        "Human Resources",
}

// departmentShares are the departments by the number of their computers.
var departmentShares = []share[int]{
	{18, engineering}, {17, production}, {15, sales}, {12, customerService}, {9, logistics},
	{8, finance}, {7, informationTechnology}, {6, research}, {5, marketing}, {3, humanResources},
}

// domainShares are the domains of computers by their system; "" is null.
var domainShares = [...][]share[string]{
	windows: {{86, "ad." + domain}, {7, "lab." + domain}, {7, "WORKGROUP"}},
	unix:    {{70, domain}, {20, "lab." + domain}, {10, ""}},
	macOS:   {{50, domain}, {50, ""}},
}

// tags are the tags that some computers have.
var tags = []string{"Loan pool", "Leased 2023", "Leased 2025", "Kiosk", "Pilot group", "Travel"}

// remarks are the notes of some computers.
var remarks = []string{
	"Battery replaced under warranty.",
	"Docking station stays on the desk when the person moves.",
	"Screen has a scratch at the lower left, accepted by the owner.",
	"Keep the old measuring software: the test bench needs it.",
	"Wipe before it is given to somebody else.\nThe recovery key is in the safe.",
	"Returned from repair with a new main board.",
	"Fans are loud. To be replaced with the next order.",
	"Prêté à l'atelier jusqu'à la fin du projet.",
	"Steht im Schrank von Raum 2.14, Schlüssel am Empfang.",
}
