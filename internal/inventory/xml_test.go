package inventory_test

import (
	"encoding/xml"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A computer as plain tagged structs, for comparison with encoding/xml. They
// lack what makes documents of ours longer: nil and type attributes.

type xmlList struct {
	XMLName xml.Name  `xml:"hardwares"`
	Page    int       `xml:"page"`
	PerPage int       `xml:"per_page"`
	Total   int       `xml:"total_entries"`
	Items   []xmlItem `xml:"hardware"`
}

// An xmlItem is a computer in a list.
type xmlItem struct {
	xmlCore
	xmlExtra
}

type xmlCore struct {
	ID              int64     `xml:"id"`
	Href            string    `xml:"href"`
	AssetID         string    `xml:"asset-id"`
	Name            string    `xml:"name"`
	Status          string    `xml:"status"`
	Category        string    `xml:"category"`
	OperatingSystem string    `xml:"operating-system"`
	CPU             string    `xml:"cpu"`
	IP              string    `xml:"ip"`
	Site            string    `xml:"site"`
	Department      string    `xml:"department"`
	Domain          string    `xml:"domain"`
	Tag             string    `xml:"tag"`
	CreatedAt       time.Time `xml:"created-at"`
	UpdatedAt       time.Time `xml:"updated-at"`
	Softwares       string    `xml:"softwares-href"`
	HiddenSoftwares string    `xml:"hidden-softwares-href"`
	Tickets         string    `xml:"tickets-href"`
	Risks           string    `xml:"risks-href"`
	Audits          string    `xml:"audits-href"`
}

type xmlExtra struct {
	DetectedAt   time.Time `xml:"detected-at"`
	SerialNumber string    `xml:"serial-number"`
	Manufacturer string    `xml:"manufacturer"`
	Model        string    `xml:"model"`
	Owner        struct {
		ID    int64  `xml:"id"`
		Name  string `xml:"name"`
		Email string `xml:"email"`
	} `xml:"owner"`
}

// An xmlComputer is a single computer.
type xmlComputer struct {
	XMLName xml.Name `xml:"hardware"`
	xmlCore
	Memory           int64  `xml:"memory"`
	ProcessorSpeed   int64  `xml:"processor-speed"`
	Swap             int64  `xml:"swap"`
	Username         string `xml:"username"`
	Description      string `xml:"description"`
	Notes            string `xml:"notes"`
	TechnicalContact struct {
		Email     string    `xml:"email"`
		FirstName string    `xml:"first-name"`
		LastName  string    `xml:"last-name"`
		LastLogin time.Time `xml:"last-login"`
		Phone     string    `xml:"phone"`
	} `xml:"technical-contact"`
	Videos    []xmlVideo        `xml:"videos>video"`
	Memories  []xmlMemory       `xml:"memories>memory"`
	Printers  []xmlLocalPrinter `xml:"printers>printer"`
	USBs      []xmlUSB          `xml:"usbs>usb"`
	Keyboards []xmlInput        `xml:"keyboards>keyboard"`
	Displays  []xmlDisplay      `xml:"displays>display"`
	Storages  []xmlStorage      `xml:"storages>storage"`
	BIOSes    []xmlBIOS         `xml:"bioses>biose"`
	Ports     []xmlPort         `xml:"ports>port"`
	Sounds    []xmlSound        `xml:"sounds>sound"`
	Mice      []xmlInput        `xml:"mice>mouse"`
	Networks  []xmlNetwork      `xml:"networks>network"`
	Drives    []xmlDrive        `xml:"drives>drive"`
	xmlExtra
	SoftwaresLeftOut int64 `xml:"softwares-left-out"`
}

type (
	xmlVideo struct {
		Chipset string `xml:"chipset"`
		Memory  int64  `xml:"memory"`
		Name    string `xml:"name"`
	}
	xmlMemory struct {
		Capacity    int64  `xml:"capacity"`
		Description string `xml:"description"`
		Type        string `xml:"memory-type"`
		Name        string `xml:"name"`
		Purpose     string `xml:"purpose"`
		Slot        int64  `xml:"slot"`
		Speed       string `xml:"speed"`
	}
	xmlLocalPrinter struct {
		Driver string `xml:"driver"`
		Name   string `xml:"name"`
		Port   string `xml:"port"`
	}
	xmlUSB struct {
		ControllerType string `xml:"controller-type"`
		Description    string `xml:"description"`
		Manufacturer   string `xml:"manufacturer"`
		Name           string `xml:"name"`
		Version        string `xml:"version"`
	}
	xmlInput struct {
		Type         string `xml:"input-type"`
		Manufacturer string `xml:"manufacturer"`
		Name         string `xml:"name"`
	}
	xmlDisplay struct {
		Description  string `xml:"description"`
		Manufacturer string `xml:"manufacturer"`
		Name         string `xml:"name"`
		SerialNumber string `xml:"serial-number"`
	}
	xmlStorage struct {
		Description  string `xml:"description"`
		Manufacturer string `xml:"manufacturer"`
		Model        string `xml:"model"`
		Name         string `xml:"name"`
		Size         int64  `xml:"size"`
		Type         string `xml:"storage-type"`
	}
	xmlBIOS struct {
		Date         string `xml:"bios-date"`
		Manufacturer string `xml:"manufacturer"`
		Model        string `xml:"model"`
		SSN          string `xml:"ssn"`
		Version      string `xml:"version"`
	}
	xmlPort struct {
		Description string `xml:"description"`
		Name        string `xml:"name"`
		Type        string `xml:"port-type"`
	}
	xmlSound struct {
		Description  string `xml:"description"`
		Manufacturer string `xml:"manufacturer"`
		Name         string `xml:"name"`
	}
	xmlNetwork struct {
		Description string `xml:"description"`
		DHCP        string `xml:"dhcp"`
		Gateway     string `xml:"gateway"`
		IP          string `xml:"ip-address"`
		MAC         string `xml:"mac-address"`
		Status      string `xml:"status"`
	}
	xmlDrive struct {
		DriveName  string `xml:"drive-name"`
		Type       string `xml:"drive-type"`
		FreeSpace  int64  `xml:"free-space"`
		Name       string `xml:"name"`
		TotalSpace int64  `xml:"total-space"`
	}
)

// xmlListOf returns a list of computers as tagged structs.
func xmlListOf(page kind.Page) (list xmlList, err error) {
	err = xml.Unmarshal(inventory.Computers.AppendList(nil, kind.XML, base, page), &list)
	return list, err
}

// xmlComputerOf returns a computer as tagged structs.
func xmlComputerOf(c *inventory.Computer) (computer xmlComputer, err error) {
	err = xml.Unmarshal(inventory.Computers.AppendRecord(nil, kind.XML, base, c), &computer)
	return computer, err
}
