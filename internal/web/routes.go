package web

import (
	"strconv"

	"muster/internal/desk/bulk"
	"muster/internal/desk/exports"
	deskimports "muster/internal/desk/imports"
	"muster/internal/store/queue"
	"muster/internal/web/account"
	"muster/internal/web/activity"
	"muster/internal/web/admin"
	"muster/internal/web/computers"
	"muster/internal/web/dashboard"
	"muster/internal/web/imports"
	"muster/internal/web/page"
	"muster/internal/web/portal"
	"muster/internal/web/records"
	"muster/internal/web/tickets"
)

// routes are all paths of the application.
func routes(w *page.App) {
	w.Route("/static/{hash}/{name}", page.Open, page.Verbs{"GET": (*page.Call).SendFile})
	w.Route("/signin", page.Open, page.Verbs{"GET": account.AskSignIn, "POST": account.SignIn})
	w.Route("/signout", page.Open, page.Verbs{"POST": account.SignOut})
	w.Route("/{$}", page.Everyone, page.Verbs{"GET": home})
	shellRoutes(w)
	searchRoutes(w)
	signInCodeRoutes(w)
	profileRoutes(w)
	w.Route(page.ChoosePath, page.Choosing, page.Verbs{"GET": account.AskChoose, "POST": account.Choose})
	userRoutes(w)
	tokenRoutes(w)
	accessRoutes(w)
	agentRoutes(w)
	settingRoutes(w)
	undoRoutes(w)
	jobRoutes(w)
	ticketRoutes(w)
	suggestRoutes(w)
	portalRoutes(w)
	computerRoutes(w)
	quickRoutes(w)
	made := customPages()
	for _, s := range records.SectionsOf(w) {
		path := "/" + s.Path
		w.Route(path, s.Access, page.Verbs{"GET": made.or(path, s.List)})
		listRoutes(w, s)
		to, show := orPortal(s, made.or(path+"/{id}", s.Show))
		w.Route(path+"/{id}", to, page.Verbs{"GET": show})
		if made[path+"/{id}"] == nil {
			relationRoutes(w, s)
		}
		if s.Add != "" {
			w.Route(path+"/new", s.Access, page.Verbs{"GET": made.or(path+"/new", s.AskNew), "POST": s.Create})
			w.Route(path+"/{id}/edit", s.Access, page.Verbs{"GET": s.AskChange, "POST": s.Change})
			w.Route(path+"/{id}/delete", s.Access, page.Verbs{"GET": s.AskDelete, "POST": s.Delete})
		}
	}
	importRoutes(w)
}

// listRoutes are the paths of what a section's list offers.
func listRoutes(w *page.App, s *records.Section) {
	w.Route("/"+s.Path+"/values", s.Access, page.Verbs{"GET": s.FindValues})
	w.Route("/"+s.Path+"/look", s.Access, page.Verbs{"POST": s.KeepLook})
	w.Route("/"+s.Path+"/views", s.Access, page.Verbs{"POST": s.SaveView})
	if s.Bulk != nil {
		w.Route("/"+s.Path+"/bulk", s.Access, page.Verbs{"GET": s.ShowMany, "POST": s.ChangeMany})
		w.Route(s.UndoPath(), s.Access, page.Verbs{"POST": s.UndoMany})
	}
	if s.Labelled() {
		w.Route("/"+s.Path+"/labels", s.Access, page.Verbs{"GET": s.Labels, "POST": s.Labels})
	}
	for _, f := range exports.Formats {
		w.Route(s.ExportPath(f), s.Access, page.Verbs{"GET": s.Export(f), "POST": s.BeginExport(f)})
	}
}

// pages are handlers by their path.
type pages map[string]page.Handler

// or returns the handler of a path, or another where there is none.
func (p pages) or(path string, other page.Handler) page.Handler {
	if own := p[path]; own != nil {
		return own
	}
	return other
}

// customPages are the pages of sections that have handlers of their own.
func customPages() pages {
	return pages{
		"/tickets": tickets.List, "/tickets/new": tickets.AskNew, "/tickets/{id}": tickets.Show,
		"/computers/{id}": computers.Show, "/users/{id}": admin.ShowUser,
	}
}

// portalPaths are where everybody reads the records that staff read in sections,
// by the paths of these.
var portalPaths = map[string]string{"tickets": "/requests/", "articles": "/help/"}

// orPortal returns the page of a section's records and who has access. Requesters who
// follow a link that staff sent are redirected to the same record in the self-service,
// which checks what they may see.
func orPortal(s *records.Section, show page.Handler) (page.Access, page.Handler) {
	path := portalPaths[s.Path]
	if path == "" {
		return s.Access, show
	}
	return page.Everyone, func(c *page.Call) (*page.Answer, error) {
		if s.Access.Allows(c.User) {
			return show(c)
		}
		id, err := c.ID(s.Kind)
		if err != nil {
			return nil, err
		}
		return c.GoTo(path + strconv.FormatInt(id, 10))
	}
}

// home shows the page that a person begins with.
func home(c *page.Call) (*page.Answer, error) {
	if !page.Staff.Allows(c.User) {
		return portal.Show(c)
	}
	return dashboard.Show(c)
}

// shellRoutes are the pages that belong to the frame around all others.
func shellRoutes(w *page.App) {
	w.Route("/preferences", page.Everyone, page.Verbs{"GET": account.AskPreferences, "POST": account.SetPreferences})
	w.Route("/keys", page.Staff, page.Verbs{"GET": account.ShowKeys})
}

// searchRoutes are the paths of the search over all kinds.
func searchRoutes(w *page.App) {
	w.Route("/search", page.Staff, page.Verbs{"GET": records.Search})
	w.Route("/search/instant", page.Staff, page.Verbs{"GET": records.Instant})
}

// signInCodeRoutes are the paths of the second step of signing in.
func signInCodeRoutes(w *page.App) {
	w.Route(page.CodePath, page.Open, page.Verbs{"GET": account.AskCode, "POST": account.TakeCode})
}

// profileRoutes are the pages on which people take care of what is their own.
func profileRoutes(w *page.App) {
	w.Route(account.ProfilePath, page.Everyone, page.Verbs{"GET": account.AskProfile})
	w.Route("/profile/password", page.Everyone, page.Verbs{"POST": account.ChangePassword})
	w.Route("/profile/devices/{id}/end", page.Everyone, page.Verbs{"POST": account.EndDevice})
	w.Route("/profile/devices/end", page.Everyone, page.Verbs{"POST": account.EndDevices})
	w.Route(page.FactorPath, page.Enrolling, page.Verbs{"GET": account.AskFactor, "POST": account.BeginFactor})
	w.Route("/profile/second-factor/confirm", page.Enrolling, page.Verbs{"POST": account.ConfirmFactor})
	w.Route("/profile/second-factor/codes", page.Everyone, page.Verbs{"POST": account.RenewCodes})
	w.Route("/profile/second-factor/end", page.Everyone, page.Verbs{"POST": account.EndFactor})
	w.Route(account.OwnAPIPath, page.Everyone, page.Verbs{"GET": account.AskOwnAPI})
	w.Route("/profile/api/password", page.Everyone, page.Verbs{"POST": account.MakeAPIPassword})
	w.Route("/profile/api/tokens", page.Everyone, page.Verbs{"POST": account.AddOwnToken})
	w.Route("/profile/api/tokens/{id}/revoke", page.Everyone,
		page.Verbs{"GET": account.AskRevokeOwn, "POST": account.RevokeOwn})
}

// userRoutes are what administrators do with the access of a user.
func userRoutes(w *page.App) {
	w.Route("/users/{id}/password", page.Admins, page.Verbs{"POST": admin.SetUserPassword})
	w.Route("/users/{id}/disable", page.Admins, page.Verbs{"GET": admin.AskDisable, "POST": admin.DisableUser})
	w.Route("/users/{id}/enable", page.Admins, page.Verbs{"POST": admin.EnableUser})
	w.Route("/users/{id}/second-factor/reset", page.Admins,
		page.Verbs{"GET": admin.AskResetFactor, "POST": admin.ResetFactor})
	w.Route("/users/{id}/sessions/end", page.Admins, page.Verbs{"POST": admin.SignOutUser})
}

// tokenRoutes are the pages of all tokens.
func tokenRoutes(w *page.App) {
	w.Route(admin.TokensPath, page.Admins, page.Verbs{"GET": admin.AskTokens, "POST": admin.AddToken})
	w.Route("/tokens/{id}/revoke", page.Admins, page.Verbs{"GET": admin.AskRevokeToken, "POST": admin.RevokeToken})
}

// accessRoutes are the pages of all sessions, and of what is ended for a whole person.
func accessRoutes(w *page.App) {
	w.Route(admin.SessionsPath, page.Admins, page.Verbs{"GET": admin.ShowSessions})
	w.Route("/sessions/{id}/end", page.Admins, page.Verbs{"POST": admin.EndSession})
	w.Route("/sessions/end", page.Admins, page.Verbs{"GET": admin.AskEndSessions, "POST": admin.EndSessions})
	w.Route("/tokens/end", page.Admins, page.Verbs{"GET": admin.AskEndTokens, "POST": admin.EndTokens})
}

// agentRoutes are the pages of agents: staff may look, administrators change.
func agentRoutes(w *page.App) {
	w.Route(admin.AgentsPath, page.Staff, page.Verbs{"GET": admin.ShowReports})
	w.Route("/agents/refused", page.Staff, page.Verbs{"GET": admin.ShowRefused})
	w.Route("/agents/tokens", page.Admins, page.Verbs{"GET": admin.AskAgentTokens, "POST": admin.AddAgentToken})
	w.Route("/agents/tokens/{id}/revoke", page.Admins,
		page.Verbs{"GET": admin.AskRevokeAgent, "POST": admin.RevokeAgent})
	w.Route("/agents/tokens/{id}", page.Admins, page.Verbs{"GET": admin.AskMarks, "POST": admin.Mark})
	w.Route(admin.ClaimsPath, page.Staff, page.Verbs{"POST": admin.AnswerClaims})
	w.Route("/agents/speak", page.Staff, page.Verbs{"POST": admin.PreferAgent})
	w.Route(admin.DuplicatesPath, page.Staff, page.Verbs{"GET": computers.ShowDuplicates})
	w.Route(admin.DuplicatesPath+"/{older}/{newer}", page.Admins,
		page.Verbs{"GET": computers.AskMergePair, "POST": computers.SettlePair})
	w.Route(computers.JoinedPath+"/{id}", page.Admins, page.Verbs{"POST": computers.SettleJoined})
}

// settingRoutes are the pages of settings and of the installation.
func settingRoutes(w *page.App) {
	w.Route(admin.SettingsPath, page.Admins, page.Verbs{"GET": admin.AskSettings, "POST": admin.SetSetting})
	w.Route(admin.AboutPath, page.Admins, page.Verbs{"GET": admin.ShowAbout})
	w.Route(admin.StoragePath, page.Admins, page.Verbs{"GET": admin.ShowStorage})
	w.Route(admin.StoragePath+"/backup", page.Admins, page.Verbs{"POST": admin.MakeBackup})
	w.Route("/about/verify", page.Admins, page.Verbs{"POST": admin.VerifyTrail})
}

// undoRoutes are the paths that take changes back.
func undoRoutes(w *page.App) {
	w.Route(page.UndoPath+"/{changes}", page.Staff, page.Verbs{"POST": activity.Undo})
	w.Route(page.UndoPath+"/tickets/{id}/link", page.Staff, page.Verbs{"POST": tickets.UndoLink})
	w.Route(page.UndoPath+"/tickets/{id}/article", page.Staff, page.Verbs{"POST": tickets.UndoArticle})
	w.Route(page.UndoPath+"/duplicates/{older}/{newer}", page.Admins, page.Verbs{"POST": computers.UndoPair})
}

// jobRoutes are the paths of jobs: everybody has their own, administrators all.
func jobRoutes(w *page.App) {
	w.Route(page.JobsPath, page.Admins, page.Verbs{"GET": admin.ShowJobs(queue.Current)})
	w.Route(page.JobsPath+"/scheduled", page.Admins, page.Verbs{"GET": admin.ShowJobs(queue.Planned)})
	w.Route(page.JobsPath+"/failed", page.Admins, page.Verbs{"GET": admin.ShowJobs(queue.Troubled)})
	w.Route(page.JobsPath+"/done", page.Admins, page.Verbs{"GET": admin.ShowJobs(queue.Over)})
	w.Route(page.JobsPath+"/scheduled/{name}/run", page.Admins, page.Verbs{"POST": admin.RunJob})
	w.Route(page.JobsPath+"/resume", page.Admins, page.Verbs{"POST": page.ResumeJobs})
	w.Route(page.OwnJobsPath, page.Everyone, page.Verbs{"GET": admin.ShowOwnJobs(queue.Current)})
	w.Route(page.OwnJobsPath+"/failed", page.Everyone, page.Verbs{"GET": admin.ShowOwnJobs(queue.Troubled)})
	w.Route(page.OwnJobsPath+"/done", page.Everyone, page.Verbs{"GET": admin.ShowOwnJobs(queue.Over)})
	w.Route(page.JobsPath+"/chip", page.Everyone, page.Verbs{"GET": page.TellJobs})
	w.Route(page.JobsPath+"/{id}", page.Everyone, page.Verbs{"GET": admin.ShowJob})
	w.Route(page.JobsPath+"/{id}/file", page.Everyone, page.Verbs{"GET": page.SendExport})
	w.Route(page.JobsPath+"/{id}/stop", page.Everyone, page.Verbs{"POST": page.StopJob})
	w.Route(page.JobsPath+"/{id}/retry", page.Everyone, page.Verbs{"POST": page.RetryJob})
	w.JobResults[bulk.Handler] = func(j *queue.Job) string { return records.ManyPath(w, j) }
}

// ticketRoutes are the paths of tickets beside those that every section has.
func ticketRoutes(w *page.App) {
	w.Route("/tickets/{id}/set", page.Staff, page.Verbs{"POST": tickets.Set})
	w.Route("/tickets/{id}/reply", page.Staff, page.Verbs{"POST": tickets.Reply})
	w.Route("/tickets/{id}/link", page.Staff, page.Verbs{"POST": tickets.Link})
	w.Route("/tickets/{id}/article", page.Staff, page.Verbs{"POST": tickets.LinkArticle})
	w.Route("/tickets/{id}/events", page.Staff, page.Verbs{"GET": tickets.Follow})
	w.Route("/tickets/events", page.Staff, page.Verbs{"GET": tickets.FollowQueue})
}

// suggestRoutes are the paths that help to fill in forms.
func suggestRoutes(w *page.App) {
	for _, s := range records.SectionsOf(w) {
		w.Route("/suggest/"+s.Path+"/{field}", s.Access, page.Verbs{"GET": s.Suggest})
	}
	w.Route("/preview", page.Staff, page.Verbs{"POST": records.Preview})
}

// portalRoutes are the paths of the self-service. The desk decides who may see which
// record there; staff see what requesters see.
func portalRoutes(w *page.App) {
	w.Route("/portal", page.Everyone, page.Verbs{"GET": portal.Show})
	w.Route("/help/{id}", page.Everyone, page.Verbs{"GET": portal.ShowHelp})
	w.Route("/requests", page.Everyone, page.Verbs{"GET": portal.ListRequests, "POST": portal.OpenRequest})
	w.Route("/requests/{id}", page.Everyone, page.Verbs{"GET": portal.ShowRequest})
	w.Route("/requests/{id}/reply", page.Everyone, page.Verbs{"POST": portal.ReplyToRequest})
	w.Route("/requests/{id}/events", page.Everyone, page.Verbs{"GET": tickets.Follow})
	w.Route("/devices/{id}", page.Everyone, page.Verbs{"GET": portal.ShowDevice})
}

// computerRoutes are the paths of actions that only computers have.
func computerRoutes(w *page.App) {
	w.Route("/computers/{id}/merge", page.Staff, page.Verbs{"GET": computers.AskMerge, "POST": computers.Merge})
	w.Route("/computers/{id}/split", page.Staff, page.Verbs{"GET": computers.AskSplit, "POST": computers.Split})
	w.Route("/suggest/merge", page.Staff, page.Verbs{"GET": computers.SuggestOther})
	w.Route("/computers/{id}/release", page.Staff, page.Verbs{"POST": computers.Release})
	w.Route("/computers/{id}/fact", page.Staff, page.Verbs{"POST": computers.SetFact})
}

// relationRoutes are the pages of lists that belong to records.
func relationRoutes(w *page.App, s *records.Section) {
	for _, r := range s.Relations(w) {
		w.Route("/"+s.Path+"/{id}/"+r.Path, s.Access,
			page.Verbs{"GET": func(c *page.Call) (*page.Answer, error) { return s.ShowRelation(c, r.Path) }})
	}
}

// importRoutes are the paths of imports.
func importRoutes(w *page.App) {
	all := imports.NewPages()
	w.Receivers[imports.Path] = all.Receive
	w.Route(imports.Path, page.Staff, page.Verbs{"GET": imports.Ask, "POST": imports.Begin})
	w.Route(imports.Path+"/{job}", page.Staff, page.Verbs{"GET": imports.Show, "POST": imports.GoOn})
	w.Route(imports.Path+"/{job}/rest.csv", page.Staff, page.Verbs{"GET": imports.SendRest})
	w.JobResults[deskimports.Handler] = func(j *queue.Job) string { return imports.Path + "/" + strconv.FormatInt(j.ID, 10) }
}
