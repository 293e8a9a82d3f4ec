package inventory

import "muster/internal/kind"

// States of solutions.
const (
	SolutionDraft     = "Draft"
	SolutionInternal  = "Internal"
	SolutionPublished = "Published"
)

// A Solution is an article of the knowledge base.
type Solution struct {
	kind.Record
	Number          kind.Int
	Name            string
	Description     string // Markdown
	State, Category string
	Tag             string
	Author          kind.Person
	Tickets         []kind.Linked
}

// Solutions is the kind of solutions.
var Solutions = kind.Define("solution", "solutions", "Solutions List", func(s *Solution, f *kind.Fields) {
	f.Noun("article")
	f.Record(&s.Record)
	f.Int("number", &s.Number).ReadOnly().Searched()
	f.Text("name", &s.Name).Required().Filter().Rare()
	f.LongText("description", &s.Description)
	f.Text("state", &s.State).Required().OneOf(SolutionDraft, SolutionInternal,
		SolutionPublished).Default(SolutionDraft).Filter()
	f.Text("category", &s.Category).Filter()
	f.Text("tag", &s.Tag).Filter()
	f.Person("author", &s.Author).ReadOnly()
	kind.Links(f, "tickets", "ticket", &s.Tickets, Tickets.Schema)
	f.Stamps(&s.Record)
})
