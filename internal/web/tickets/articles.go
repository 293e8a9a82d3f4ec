package tickets

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
	"muster/internal/web/records"
	"muster/internal/words"
)

// An articleLink is an article beside a ticket.
type articleLink struct {
	ID      int64
	Name    string
	Href    string // for those who work here
	Help    string // where the requester reads it, "" when they may not
	State   page.Cell
	Tickets int // that it is linked with
}

// articlesFor returns the articles that are linked with a ticket, and others that
// may help.
func articlesFor(c *page.Call, t *inventory.Ticket) (linked, suggested []articleLink, err error) {
	k := inventory.Solutions.Schema
	recs, err := First(c, k, maxLinked, kind.Cond{
		Field: k.Field("tickets"), Target: inventory.Tickets.Schema,
		Any: []kind.Test{{Range: true, Min: t.ID, Max: t.ID}},
	})
	if err != nil {
		return nil, nil, err
	}
	has := map[int64]bool{}
	for _, rec := range recs {
		s := rec.(*inventory.Solution)
		has[s.ID] = true
		linked = append(linked, newArticleLink(c, s))
	}
	found, err := SuggestArticles(c, t.Name+" "+t.Category, has)
	for _, s := range found {
		suggested = append(suggested, newArticleLink(c, s))
	}
	return linked, suggested, err
}

func newArticleLink(c *page.Call, s *inventory.Solution) articleLink {
	a := articleLink{
		ID: s.ID, Name: s.Name, Href: c.RecordPath(inventory.Solutions.Schema, s.ID), Tickets: len(s.Tickets),
		State: c.Cell(inventory.Solutions.Values(s), inventory.Solutions.Field("state")),
	}
	if s.State == inventory.SolutionPublished {
		a.Help = "/help/" + strconv.FormatInt(s.ID, 10)
	}
	return a
}

// How articles are found for a text: by so many of its longest words, each in so
// many articles at most; and how many are suggested.
const (
	searchedWords = 6
	shortestWord  = 4
	perWord       = 10
	suggestions   = 3
)

// SuggestArticles returns articles that have words of a text, those first that
// have most of the rarest.
func SuggestArticles(c *page.Call, text string, except map[int64]bool) ([]*inventory.Solution, error) {
	score, byID := map[int64]float64{}, map[int64]*inventory.Solution{}
	for _, word := range significantWords(text) {
		found, err := c.App.Desk.List(c.Context(), c.Who(), inventory.Solutions.Schema, &kind.Query{
			Search: &kind.Search{Text: word}, Page: 1, PerPage: perWord, Today: kind.Today(c.App.Now()),
		})
		if err != nil {
			return nil, err
		}
		for _, rec := range found.Records {
			s := rec.(*inventory.Solution)
			if !except[s.ID] && s.State != inventory.SolutionDraft {
				byID[s.ID] = s
				score[s.ID] += 1 / float64(found.Total)
			}
		}
	}
	var all []*inventory.Solution
	for _, s := range byID {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *inventory.Solution) int {
		return cmp.Or(cmp.Compare(score[b.ID], score[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), suggestions)], nil
}

// significantWords returns the longest words of a text, which mostly say what it is
// about. Long words lose their end, since the search matches the beginning of words
// and endings differ.
func significantWords(text string) (all []string) {
	for word := range words.Of(text) {
		letters := []rune(word)
		if len(letters) > shortestWord+1 {
			letters = letters[:len(letters)-1]
		}
		if len(letters) >= shortestWord && !slices.Contains(all, string(letters)) {
			all = append(all, string(letters))
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all[:min(len(all), searchedWords)]
}

// articleCalled returns the article that a form means: by its id, or as people
// call it, by its number or its name.
func articleCalled(c *page.Call, form url.Values) (id int64, fault string, err error) {
	if form.Has("article") {
		return page.Number(form, "article"), "", nil
	}
	name := strings.TrimSpace(form.Get("name"))
	if name == "" {
		return 0, c.T("Enter the name or the number of an article first."), nil
	}
	k := inventory.Solutions.Schema
	by := []kind.Cond{equals(k, "name", name)}
	if n, err := strconv.ParseInt(strings.TrimPrefix(name, "#"), 10, 64); err == nil {
		by = slices.Insert(by, 0, kind.Cond{Field: k.Field("number"), Any: []kind.Test{{Range: true, Min: n, Max: n}}})
	}
	return only(c, k, name, c.T("There are several articles called %s: enter the number instead.", name), by...)
}

// LinkArticle links an article with a ticket, or takes the link away.
func LinkArticle(c *page.Call) (*page.Answer, error) { return linkArticleAs(c, c.Form) }

// UndoArticle does the other of both.
func UndoArticle(c *page.Call) (*page.Answer, error) { return linkArticleAs(c, undoForm(c)) }

func linkArticleAs(c *page.Call, form url.Values) (*page.Answer, error) {
	t, err := Ticket(c)
	if err != nil {
		return nil, err
	}
	id, fault, err := articleCalled(c, form)
	if err != nil {
		return nil, err
	}
	if fault != "" {
		return ticketAnswer(c, http.StatusUnprocessableEntity, form, func(p *ticketPage) { p.Fault = fault })
	}
	k := inventory.Solutions.Schema
	rec, err := c.App.Desk.Get(c.Context(), c.Who(), k, id)
	if err != nil {
		return nil, err
	}
	s := rec.(*inventory.Solution)
	own := strconv.FormatInt(t.ID, 10)
	tickets := slices.DeleteFunc(ids(s.Tickets), func(id string) bool { return id == own })
	done, back := c.T("%s unlinked", s.Name), url.Values{"article": {strconv.FormatInt(s.ID, 10)}}
	if form.Get("do") != "remove" {
		tickets, done = append(tickets, own), c.T("%s linked", s.Name)
		back.Set("do", "remove")
	}
	now, err := c.App.Desk.Update(c.Context(), c.Who(),
		desk.Target{Kind: k, ID: s.ID, If: func(now int64) bool { return now == s.Version }},
		records.DocumentOf(c, k, url.Values{"tickets": tickets}))
	if page.IsRefusal(err, desk.Changed) {
		return ticketAnswer(c, http.StatusConflict, form,
			func(p *ticketPage) { p.Fault = c.T("The article was changed just now. Try again.") })
	}
	if err != nil {
		return nil, err
	}
	c.Notify(done)
	if k.Meta(now).Version != s.Version { // else it was so before
		c.Toast.Undo = page.Address(page.UndoPath+ticketPath(t.ID)+"/article", back)
	}
	return backToTicket(c, t.ID, form)
}
