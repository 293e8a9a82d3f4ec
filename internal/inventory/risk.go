package inventory

import (
	"time"

	"muster/internal/kind"
)

// Statuses and sources of risks.
const (
	RiskOpen     = "Open"
	RiskResolved = "Resolved"
	RiskIgnored  = "Ignored"
	RiskManual   = "manual"
)

// A Risk is something about assets that should not stay as it is.
type Risk struct {
	kind.Record
	Name, Description          string
	Category, Severity, Status string
	IgnoredUntil               time.Time
	Source                     string // the name of a rule, or manual
	DetectedAt, ResolvedAt     time.Time
	Assets                     []kind.Linked
}

// Risks is the kind of risks.
var Risks = kind.Define("risk", "risks", "Risks List", func(r *Risk, f *kind.Fields) {
	f.Record(&r.Record)
	f.Text("name", &r.Name).Required().Filter().Rare()
	f.LongText("description", &r.Description)
	f.Text("category", &r.Category).Required().OneOf("Hardware", "Software", "License", "Contract",
		"Security").Default("Security").Filter()
	f.Text("severity", &r.Severity).Required().OneOf("Low", "Medium", "High", "Critical").Default("Medium").Filter()
	f.Text("status", &r.Status).Required().OneOf(RiskOpen, RiskResolved, RiskIgnored).Default(RiskOpen).Filter()
	f.Time("ignored-until", &r.IgnoredUntil)
	f.Text("source", &r.Source).ReadOnly().Filter().Unsearched()
	f.Time("detected-at", &r.DetectedAt).ReadOnly().Filter()
	f.Time("resolved-at", &r.ResolvedAt).ReadOnly().Filter()
	kind.Links(f, "affected-assets", "affected-asset", &r.Assets, Computers.Schema, OtherAssets.Schema)
	f.Stamps(&r.Record)
})
