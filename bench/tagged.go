package main

import (
	"encoding/xml"
	"time"
)

// A computer as plain tagged structs, as one would write them for encoding/xml.
// They leave nulls out and make documents without white space, so that
// encoding/xml has rather less to do than the product.

type taggedList struct {
	XMLName xml.Name     `xml:"hardwares"`
	Page    int          `xml:"page"`
	PerPage int          `xml:"per_page"`
	Total   int          `xml:"total_entries"`
	Items   []taggedItem `xml:"hardware"`
}

// A taggedItem is a computer in a list.
type taggedItem struct {
	taggedCore
	taggedExtra
}

type taggedCore struct {
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

type taggedExtra struct {
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

// A taggedComputer is a single computer.
type taggedComputer struct {
	XMLName xml.Name `xml:"hardware"`
	taggedCore
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
	Videos    []taggedVideo   `xml:"videos>video"`
	Memories  []taggedMemory  `xml:"memories>memory"`
	Printers  []taggedPrinter `xml:"printers>printer"`
	USBs      []taggedUSB     `xml:"usbs>usb"`
	Keyboards []taggedInput   `xml:"keyboards>keyboard"`
	Displays  []taggedDisplay `xml:"displays>display"`
	Storages  []taggedStorage `xml:"storages>storage"`
	BIOSes    []taggedBIOS    `xml:"bioses>biose"`
	Ports     []taggedPort    `xml:"ports>port"`
	Sounds    []taggedSound   `xml:"sounds>sound"`
	Mice      []taggedInput   `xml:"mice>mouse"`
	Networks  []taggedNetwork `xml:"networks>network"`
	Drives    []taggedDrive   `xml:"drives>drive"`
	taggedExtra
}

type (
	taggedVideo struct {
		Chipset string `xml:"chipset,omitempty"`
		Memory  *int64 `xml:"memory"`
		Name    string `xml:"name,omitempty"`
	}
	taggedMemory struct {
		Capacity    *int64 `xml:"capacity"`
		Description string `xml:"description,omitempty"`
		Type        string `xml:"memory-type,omitempty"`
		Name        string `xml:"name,omitempty"`
		Purpose     string `xml:"purpose,omitempty"`
		Slot        *int64 `xml:"slot"`
		Speed       string `xml:"speed,omitempty"`
	}
	taggedPrinter struct {
		Driver string `xml:"driver,omitempty"`
		Name   string `xml:"name,omitempty"`
		Port   string `xml:"port,omitempty"`
	}
	taggedUSB struct {
		ControllerType string `xml:"controller-type,omitempty"`
		Description    string `xml:"description,omitempty"`
		Manufacturer   string `xml:"manufacturer,omitempty"`
		Name           string `xml:"name,omitempty"`
		Version        string `xml:"version,omitempty"`
	}
	taggedInput struct {
		Type         string `xml:"input-type,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Name         string `xml:"name,omitempty"`
	}
	taggedDisplay struct {
		Description  string `xml:"description,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Name         string `xml:"name,omitempty"`
		SerialNumber string `xml:"serial-number,omitempty"`
	}
	taggedStorage struct {
		Description  string `xml:"description,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Model        string `xml:"model,omitempty"`
		Name         string `xml:"name,omitempty"`
		Size         *int64 `xml:"size"`
		Type         string `xml:"storage-type,omitempty"`
	}
	taggedBIOS struct {
		Date         string `xml:"bios-date,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Model        string `xml:"model,omitempty"`
		SSN          string `xml:"ssn,omitempty"`
		Version      string `xml:"version,omitempty"`
	}
	taggedPort struct {
		Description string `xml:"description,omitempty"`
		Name        string `xml:"name,omitempty"`
		Type        string `xml:"port-type,omitempty"`
	}
	taggedSound struct {
		Description  string `xml:"description,omitempty"`
		Manufacturer string `xml:"manufacturer,omitempty"`
		Name         string `xml:"name,omitempty"`
	}
	taggedNetwork struct {
		Description string `xml:"description,omitempty"`
		DHCP        string `xml:"dhcp,omitempty"`
		Gateway     string `xml:"gateway,omitempty"`
		IP          string `xml:"ip-address,omitempty"`
		MAC         string `xml:"mac-address,omitempty"`
		Status      string `xml:"status,omitempty"`
	}
	taggedDrive struct {
		DriveName  string `xml:"drive-name,omitempty"`
		Type       string `xml:"drive-type,omitempty"`
		FreeSpace  *int64 `xml:"free-space"`
		Name       string `xml:"name,omitempty"`
		TotalSpace *int64 `xml:"total-space"`
	}
)
