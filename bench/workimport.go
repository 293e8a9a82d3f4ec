package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// importSize is how many rows an import has.
const importSize = 500

// importComputers adds computers from a file, as its pages ask for: it is uploaded, checked and written. The name
// makes them others than those of imports before.
func (t *technician) importComputers(ctx context.Context, name string) error {
	var file strings.Builder
	file.WriteString("Name,Site,Department,Notes\n")
	for i := range importSize {
		fmt.Fprintf(&file, "%s-%03d,%s,%s,Delivered in spring\n", name, i, sites[i%len(sites)],
			departments[i%len(departments)])
	}
	begun, err := t.upload(ctx, "/app/import", "computers", file.String())
	if err != nil {
		return err
	}
	_, err = t.importStep(ctx, begun.path, url.Values{"do": {"check"}, "key": {"usual"}, "column.0": {"name"},
		"column.1": {"site"}, "column.2": {"department"}, "column.3": {"notes"}})
	if err != nil {
		return err
	}
	report, err := t.importStep(ctx, begun.path, url.Values{"do": {"write"}, "mode": {"good"}})
	if err == nil && !strings.Contains(report.body, fmt.Sprintf("%d added", importSize)) {
		return fmt.Errorf("%d rows were not imported", importSize)
	}
	return err
}

// importWait is after how long the page of an import that runs is loaded again.
const importWait = 700 * time.Millisecond

// importStep does the next step of an import and waits until it is done.
func (t *technician) importStep(ctx context.Context, path string, form url.Values) (*answered, error) {
	found, err := t.post(ctx, path, form)
	for err == nil && strings.Contains(found.body, "data-running") {
		select {
		case <-time.After(importWait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		found, err = t.get(ctx, path)
	}
	return found, err
}
