package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"muster/internal/store"
)

// A placed command knows where an installation keeps its records.
type placed interface{ readAddress() error }

// readAddress reads the address of the database from its file, if there is one.
func (p *place) readAddress() error {
	if p.AddressFile == "" {
		return nil
	}
	if p.Database != "" {
		return errors.New("--database and --database-file both name a database: give one of them")
	}
	text, err := os.ReadFile(p.AddressFile)
	if err != nil {
		return fmt.Errorf("--database-file: %w", err)
	}
	address := strings.TrimSpace(string(text))
	if address == "" || strings.ContainsAny(address, "\r\n") {
		return fmt.Errorf("--database-file: %s must have one line, which is the address of the database", p.AddressFile)
	}
	p.Database = address
	return nil
}

// databaseFlag is the flag whose value may have a password, and databaseVariable
// the variable for it.
const (
	databaseFlag     = "--database"
	databaseVariable = "MUSTER_DATABASE"
)

// withoutPassword returns arguments without the address of a database that has a
// password, and the address; "" when none has.
func withoutPassword(args []string) (rest []string, address string) {
	for i := 0; i < len(args); i++ {
		value, ok := strings.CutPrefix(args[i], databaseFlag+"=")
		switch {
		case args[i] == "--":
			return append(rest, args[i:]...), address
		case args[i] == databaseFlag && i+1 < len(args):
			value, ok = args[i+1], true
		}
		if !ok || !hasPassword(value) {
			rest = append(rest, args[i])
			continue
		}
		if args[i] == databaseFlag {
			i++
		}
		address = value
	}
	return rest, address
}

// hasPassword reports whether an address has a password, or may have one.
func hasPassword(address string) bool {
	if !store.IsPostgres(address) {
		return false
	}
	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}
