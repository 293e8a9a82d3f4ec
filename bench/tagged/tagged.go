// Package tagged has a computer as plain tagged structs, as one would write them for encoding/xml: the rival of the
// documents that the product makes and reads. They leave nulls out and make documents without white space, so that
// encoding/xml has rather less to do than the product.
package tagged

import (
	"encoding/xml"
	"time"
)

// A List is a page of computers.
type List struct {
	XMLName xml.Name `xml:"hardwares"`
	Page    int      `xml:"page"`
	PerPage int      `xml:"per_page"`
	Total   int      `xml:"total_entries"`
	Items   []item   `xml:"hardware"`
}

// An item is a computer in a list.
type item struct {
	core
	extra
}

type core struct {
	ID              int64     `xml:"id"`
	Href            string    `xml:"href"`
	AssetID         string    `xml:"asset-id,omitempty"`
	Name            string    `xml:"name"`
	Status          string    `xml:"status"`
	Category        string    `xml:"category,omitempty"`
	OperatingSystem string    `xml:"operating-system,omitempty"`
	CPU             string    `xml:"cpu,omitempty"`
	IP              string    `xml:"ip,omitempty"`
	Site            string    `xml:"site,omitempty"`
	Department      string    `xml:"department,omitempty"`
	Domain          string    `xml:"domain,omitempty"`
	Tag             string    `xml:"tag,omitempty"`
	CreatedAt       time.Time `xml:"created-at"`
	UpdatedAt       time.Time `xml:"updated-at"`
	Softwares       string    `xml:"softwares-href"`
	HiddenSoftwares string    `xml:"hidden-softwares-href"`
	Tickets         string    `xml:"tickets-href"`
	Risks           string    `xml:"risks-href"`
	Audits          string    `xml:"audits-href"`
}

type extra struct {
	DetectedAt   *time.Time `xml:"detected-at"`
	SerialNumber string     `xml:"serial-number,omitempty"`
	Manufacturer string     `xml:"manufacturer,omitempty"`
	Model        string     `xml:"model,omitempty"`
	Owner        *struct {
		ID    int64  `xml:"id"`
		Name  string `xml:"name"`
		Email string `xml:"email"`
	} `xml:"owner"`
}

// A Computer is a single computer.
type Computer struct {
	XMLName xml.Name `xml:"hardware"`
	core
	Memory           *int64 `xml:"memory"`
	ProcessorSpeed   *int64 `xml:"processor-speed"`
	Swap             *int64 `xml:"swap"`
	Username         string `xml:"username,omitempty"`
	Description      string `xml:"description,omitempty"`
	Notes            string `xml:"notes,omitempty"`
	TechnicalContact *struct {
		Email     string     `xml:"email"`
		FirstName string     `xml:"first-name"`
		LastName  string     `xml:"last-name"`
		LastLogin *time.Time `xml:"last-login"`
		Phone     string     `xml:"phone,omitempty"`
	} `xml:"technical-contact"`
	Videos    []video   `xml:"videos>video"`
	Memories  []memory  `xml:"memories>memory"`
	Printers  []printer `xml:"printers>printer"`
	USBs      []usb     `xml:"usbs>usb"`
	Keyboards []input   `xml:"keyboards>keyboard"`
	Displays  []display `xml:"displays>display"`
	Storages  []storage `xml:"storages>storage"`
	BIOSes    []bios    `xml:"bioses>biose"`
	Ports     []port    `xml:"ports>port"`
	Sounds    []sound   `xml:"sounds>sound"`
	Mice      []input   `xml:"mice>mouse"`
	Networks  []network `xml:"networks>network"`
	Drives    []drive   `xml:"drives>drive"`
	extra
}

type (
	video struct {
		Chipset string `xml:"chipset,omitempty"`
		Memory  *int64 `xml:"memory"`
		Name    string `xml:"name,omitempty"`
	}
	memory struct {
		Capacity    *int64 `xml:"capacity"`
		Description string `xml:"description,omitempty"`
		Type        string `xml:"memory-type,omitempty"`
		Name        string `xml:"name,omitempty"`
		Purpose     string `xml:"purpose,omitempty"`
		Slot        *int64 `xml:"slot"`
		Speed       string `xml:"speed,omitempty"`
	}
	printer struct {
		Driver string `xml:"driver,omitempty"`
		Name   string `xml:"name,omitempty"`
		Port   string `xml:"port,omitempty"`
	}
	usb struct {
		ControllerType string `xml:"controller-type,omitempty"`
		Description    string `xml:"description,omitempty"`
		Manufacturer   string `xml:"manufacturer,omitempty"`
		Name           string `xml:"name,omitempty"`
		Version        string `xml:"version,omitempty"`
	}
	input struct {
		Type         string `xml:"input-type,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Name         string `xml:"name,omitempty"`
	}
	display struct {
		Description  string `xml:"description,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Name         string `xml:"name,omitempty"`
		SerialNumber string `xml:"serial-number,omitempty"`
	}
	storage struct {
		Description  string `xml:"description,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Model        string `xml:"model,omitempty"`
		Name         string `xml:"name,omitempty"`
		Size         *int64 `xml:"size"`
		Type         string `xml:"storage-type,omitempty"`
	}
	bios struct {
		Date         string `xml:"bios-date,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Model        string `xml:"model,omitempty"`
		SSN          string `xml:"ssn,omitempty"`
		Version      string `xml:"version,omitempty"`
	}
	port struct {
		Description string `xml:"description,omitempty"`
		Name        string `xml:"name,omitempty"`
		Type        string `xml:"port-type,omitempty"`
	}
	sound struct {
		Description  string `xml:"description,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Name         string `xml:"name,omitempty"`
	}
	network struct {
		Description string `xml:"description,omitempty"`
		DHCP        string `xml:"dhcp,omitempty"`
		Gateway     string `xml:"gateway,omitempty"`
		IP          string `xml:"ip-address,omitempty"`
		MAC         string `xml:"mac-address,omitempty"`
		Status      string `xml:"status,omitempty"`
	}
	drive struct {
		DriveName  string `xml:"drive-name,omitempty"`
		Type       string `xml:"drive-type,omitempty"`
		FreeSpace  *int64 `xml:"free-space"`
		Name       string `xml:"name,omitempty"`
		TotalSpace *int64 `xml:"total-space"`
	}
)
