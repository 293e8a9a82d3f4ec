package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"

	"muster/bench/result"
)

// sampleID is the computer whose values lists are filtered by.
const sampleID = 1

// nearUniqueLists are lists of computers that the database may answer: with
// filters that few computers have in common, wildcards in front, and sorted.
// With a goal they find up to 10,000 of a million.
func nearUniqueLists() (all []operation) {
	for _, f := range []struct{ parameter, element string }{
		{"name", "name"}, {"asset_id", "asset-id"}, {"serial_number", "serial-number"},
		{"ip", "ip"}, {"mac_address", "mac-address"}, {"username", "username"},
	} {
		all = append(all, valueList(f.parameter, f.element))
	}
	for _, l := range []struct {
		filter
		result.Goals
	}{
		{filter{"inner wildcard", "name=" + url.QueryEscape("*-0123*")}, searchGoal},
		{filter{"two filters by name", "status=Spare&site=London&sort_by=name"}, searchGoal},
		{filter{"two filters by last report", "status=Spare&site=London&sort_by=detected-at&sort_order=DESC"},
			searchGoal},
		{filter{"all by name", "sort_by=name"}, result.Goals{}},
		{filter{"all by operating system", "sort_by=operating-system"}, result.Goals{}},
	} {
		for _, p := range []page{firstPage, lastPage} {
			o := listPage(fmt.Sprintf("list of 25, %s, %s", l.name, p.name), "/hardwares.xml", l.query, 25, p.halves)
			o.goals = l.Goals
			all = append(all, o)
		}
	}
	return all
}

// valueList returns the list of the computers that have a value of the sample.
func valueList(parameter, element string) operation {
	value := regexp.MustCompile("<" + element + `[^>]*>([^<]+)</` + element + ">")
	query := ""
	return operation{
		name: "list of 25, " + parameter, status: http.StatusOK, goals: searchGoal,
		ready: func(ctx context.Context, a *arena, _ *result.Comparison) error {
			found, err := a.sampleValue(ctx, value)
			query = parameter + "=" + url.QueryEscape(found)
			return err
		},
		make: func(int64) request { return request{http.MethodGet, "/hardwares.xml?per_page=25&" + query, ""} },
	}
}

// sampleValue returns a value of the sample: its own rather than one of its parts,
// which the lists leave out.
func (a *arena) sampleValue(ctx context.Context, value *regexp.Regexp) (string, error) {
	for _, target := range []string{
		fmt.Sprintf("/hardwares.xml?per_page=1&after=%d", sampleID-1), fmt.Sprintf("/hardwares/%d.xml", sampleID),
	} {
		body, err := a.get(ctx, target)
		if err != nil {
			return "", err
		}
		if m := value.FindSubmatch(body); m != nil {
			return string(m[1]), nil
		}
	}
	return "", fmt.Errorf("computer %d has nothing like %s", sampleID, value)
}
