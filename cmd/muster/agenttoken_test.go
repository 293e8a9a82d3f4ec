//go:build full

package main_test

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestAgentTokenCommands runs the same steps twice: while the server runs, and while
// it does not.
func TestAgentTokenCommands(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for _, running := range []bool{true, false} {
			t.Run(map[bool]string{true: "running", false: "stopped"}[running], func(t *testing.T) {
				f, database := newFolder(t), db.New(t)
				f.env = []string{"MUSTER_DATABASE=" + database}
				s := f.serve()
				password := s.password
				if !running {
					s.stop()
				}
				secrets := tellAgentTokens(t, f)
				if !running {
					s = f.serve()
				}
				toldAgentTokens(t, s.client(admin, password))
				s.stop()
				for _, secret := range secrets {
					appearsNowhere(t, s, secret, database)
				}
			})
		}
	})
}

// addAgentToken adds an agent token, and returns its secret and what was printed.
func (f *folder) addAgentToken(args ...string) (secret, out string) {
	f.t.Helper()
	out = f.must(append([]string{"agent", "token", "add"}, args...)...)
	m := regexp.MustCompile(`^https?://agent:(muster_agent_[A-Z2-7]{26})@\S+/ocsinventory\n`).FindStringSubmatch(out)
	if m == nil {
		f.t.Fatalf("agent token add %q: got\n%s\nwant an address in the first line", args, out)
	}
	return m[1], out
}

// tellAgentTokens adds, lists and revokes agent tokens, and returns their
// secrets.
func tellAgentTokens(t *testing.T, f *folder) (secrets []string) {
	for _, args := range [][]string{
		{}, {"Büro Lyon", "--site", "Lyon", "--department", "Sales & Co", "--tag", "laptops"}, {},
	} {
		secret, _ := f.addAgentToken(args...)
		secrets = append(secrets, secret)
	}
	if slices.Sort(secrets); len(slices.Compact(slices.Clone(secrets))) != 3 {
		t.Errorf("got the secrets %q, want three", secrets)
	}
	list := f.must("agent", "token", "list")
	for _, want := range []string{
		`^ID +NAME +SITE +DEPARTMENT +TAG +ADDED +LAST USED +FOR\n`,
		`\n1 +agents +\(none\) +\(none\) +\(none\) +20\d\d-\d\d-\d\d +never +\(none\)\n`,
		`\n2 +Büro Lyon +Lyon +Sales & Co +laptops +20\d\d-\d\d-\d\d +never +\(none\)\n`,
		`\n3 +agents 2 +`,
	} {
		if !regexp.MustCompile(want).MatchString(list) || strings.Contains(list, "muster_") {
			t.Errorf("agent token list: got\n%s\nwant %s and no secret", list, want)
		}
	}
	refuseAgentTokens(t, f)
	mistakeTokens(f)
	if out := f.must("agent", "token", "revoke", "3", "BÜRO LYON"); out != "" {
		t.Errorf("agent token revoke: got %q, want silence", out)
	}
	if list := f.must("agent", "token", "list"); strings.Count(list, "\n") != 2 || !strings.Contains(list, "\n1 ") {
		t.Errorf("after two were revoked: got\n%s\nwant the first one", list)
	}
	return secrets
}

// refuseAgentTokens tries what must not happen.
func refuseAgentTokens(t *testing.T, f *folder) {
	t.Helper()
	before := f.must("agent", "token", "list")
	long := strings.Repeat("ä", 256)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"there is an agent token Büro Lyon already, with the id 2: revoke it first, or choose another name", []string{
			"add", "büro lyon",
		}},
		{"Name must not be a number", []string{"add", "12"}},
		{"Name is too long (maximum is 255 characters)", []string{"add", long}},
		{"Site is too long (maximum is 255 characters)", []string{"add", "--site", long}},
		{"Department is too long (maximum is 255 characters)", []string{"add", "--department", long}},
		{"Tag is too long (maximum is 255 characters)", []string{"add", "--tag", long}},
		{"Name must be text of one line in UTF-8", []string{"add", "two\nlines"}},
		{"Site must be text of one line in UTF-8", []string{"add", "--site", "a\x1bb"}},
		{"Tag must be text of one line in UTF-8", []string{"add", "--tag", "\xff"}},
		{"must be like https://assets.example.com", []string{"add", "--url", "assets.example.com"}},
		{"must be like https://assets.example.com", []string{
			"add", "--url", "https://agent:secret@assets.example.com",
		}},
		{"<token>", []string{"revoke"}},
		{"there is no agent token with the id 9: muster agent token list shows all", []string{"revoke", "9"}},
		{"there is no agent token nothing: muster agent token list shows all", []string{"revoke", "1", "nothing"}},
		{"there is no agent token", []string{"revoke", "99999999999999999999"}},
	} {
		f.refused(append([]string{"agent", "token"}, c.args...), c.want)
	}
	if after := f.must("agent", "token", "list"); after != before {
		t.Errorf("after what was refused: got\n%s\nwant\n%s", after, before)
	}
}

// mistakeTokens takes the tokens of agents for those of users, and the other way
// round.
func mistakeTokens(f *folder) {
	f.must("user", "add", "anna@example.com", "--role", "technician")
	for _, name := range []string{"script", "it's mine"} {
		f.must("token", "add", "--user", admin, "--name", name)
	}
	f.must("token", "add", "--user", "anna@example.com", "--name", "Script")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"there is no token AGENTS: muster token list shows all; there is an agent token of that name: muster agent token revoke 1\n", []string{"token", "revoke", "AGENTS"}},
		{"there is no token with the id 9: muster token list shows all\n", []string{"token", "revoke", "9"}},
		{"there is no agent token it's mine: muster agent token list shows all; there is a token of that name: muster token revoke 2\n", []string{"agent", "token", "revoke", "it's mine"}},
		{"; several users have a token of that name: muster token list shows all\n", []string{
			"agent", "token", "revoke", "SCRIPT",
		}},
	} {
		f.refused(c.args, c.want)
	}
}

// toldAgentTokens looks at the audit records of the story.
func toldAgentTokens(t *testing.T, c *mustertest.Client) {
	t.Helper()
	got := c.Get("/audits.xml?record_type=agent-token").Body
	for _, want := range []string{
		"<message>Agent token agents added</message>",
		"<message>Agent token Büro Lyon added, site Lyon, department Sales &amp; Co, tag laptops</message>",
		"<message>Agent token agents 2 revoked</message>", "<message>Agent token Büro Lyon revoked</message>",
		"<record-name>Büro Lyon</record-name>", "<origin>command</origin>", "<total_entries>5</total_entries>",
	} {
		if !strings.Contains(got, want) || strings.Contains(got, "muster_agent_") {
			t.Errorf("the audit records: got\n%s\nwant %s and no secret", got, want)
		}
	}
}

// appearsNowhere looks for a secret in the database, in what the server has
// printed and logged, and in its folder.
func appearsNowhere(t *testing.T, s *service, secret, database string) {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, store.Config{Database: database, Kinds: inventory.All(), Frozen: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(ctx, func(tx *store.Tx) error {
		return tx.AgentTokens(ctx, func(token store.AgentToken) error {
			row := strings.Join([]string{token.Name, token.Site, token.Department, token.Tag, string(token.Hash)}, " ")
			if strings.Contains(row, secret) || len(token.Hash) != sha256.Size {
				t.Errorf("in the database: got %q, want a hash and no secret", row)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if printed := s.out.String() + s.log.String(); strings.Contains(printed, secret) {
		t.Errorf("the server printed the secret:\n%s", printed)
	}
	folders := []string{s.f.dir}
	if !store.IsPostgres(database) {
		folders = append(folders, filepath.Dir(database))
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(file)
			if strings.Contains(string(content), secret) {
				t.Errorf("the secret is in %s", file)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestAgentTokensWithoutDatabase: a command about agent tokens makes no database.
func TestAgentTokensWithoutDatabase(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.refused([]string{"agent", "token", "add"}, "there is no database", "muster serve")
	if f.exists("") {
		t.Error("got a data folder, want none")
	}
}
