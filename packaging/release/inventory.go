package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An inventory is a bill of materials in the form of CycloneDX 1.6.
type inventory struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Licences   []licence  `json:"licenses"`
	URL        string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type licence struct {
	Expression string `json:"expression"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// writeInventory writes what the program of a target is made of, as the program itself says, with the licences of the
// parts.
func (r *release) writeInventory(t target, parts []*part) error {
	program := filepath.Join(r.stageOf(t), t.program())
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	inside := map[string]string{"stdlib": strings.TrimPrefix(info.GoVersion, "go")}
	for _, module := range info.Deps {
		inside[module.Path] = module.Version
	}
	bom, err := r.inventory(t, program)
	if err != nil {
		return err
	}
	own := dependency{Ref: bom.Metadata.Component.Ref}
	for _, p := range parts {
		if inside[p.path] != p.version {
			return fmt.Errorf("the program has %s %q, the sources %q", p.path, inside[p.path], p.version)
		}
		delete(inside, p.path)
		c := p.component()
		bom.Components = append(bom.Components, c)
		own.On = append(own.On, c.Ref)
	}
	if len(inside) > 0 {
		return fmt.Errorf("the program has modules that the sources have not: %v", inside)
	}
	bom.Dependencies = []dependency{own}
	text, err := json.MarshalIndent(bom, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, r.name(t)+".cdx.json"), append(text, '\n'), 0o644)
}

// inventory returns the inventory of a target without its parts.
func (r *release) inventory(t target, program string) (*inventory, error) {
	content, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	version := strings.TrimPrefix(r.version, "v")
	url := "pkg:generic/muster@" + version + "?os=" + t.os + "&arch=" + t.arch
	return &inventory{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Serial: serial(sum),
		Metadata: metadata{Timestamp: r.time.Format(time.RFC3339), Component: component{
			Ref: url, Type: "application", Name: "muster", Version: version, URL: url,
			Licences:   []licence{{"Apache-2.0"}},
			Hashes:     []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
			Properties: []property{{"muster:commit", r.commit}},
		}},
	}, nil
}

// serial returns a UUID that belongs to the program's bytes, where others would take a random one.
func serial(sum [sha256.Size]byte) string {
	b := sum[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// component returns a part's entry.
func (p *part) component() component {
	c := component{
		Type: "library", Name: p.path, Version: p.version, URL: "pkg:golang/" + p.path + "@" + p.version,
		Licences: []licence{{strings.Join(p.licences, " AND ")}},
	}
	c.Ref = c.URL
	if p.sum != "" {
		c.Properties = []property{{"go:sum", p.sum}}
	}
	return c
}
