package desk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// A Setting is something that an administrator decides while servers run.
type Setting struct {
	Name    string
	Value   string // in effect
	Default string
	About   string   // what it means, for people
	Choices []string // the values that it may have, nil for others than a few words

	// guards reports whether a change asks who makes it to prove again that it is they; nil for never.
	guards func(old, value any) bool

	// parse returns what a text means, and its usual spelling. Its error is a
	// message.Predicate that says of the setting what is allowed.
	parse func(text string) (value any, spelling string, err error)
	// fits refuses a new value in the transaction that has set it; nil if there
	// is none that the records could be against.
	fits func(ctx context.Context, tx *store.Tx, old, value any) error
}

// declared are all settings, by name: those of the desk, and those of packages above it.
var declared = []*Setting{&pageSize, &statuses}

// Declare adds the settings of a package above the desk when the program starts.
func Declare(settings ...*Setting) {
	declared = append(declared, settings...)
	slices.SortFunc(declared, func(a, b *Setting) int { return strings.Compare(a.Name, b.Name) })
}

// NewSetting returns a setting whose default is nothing. Parse returns what a text means, and its usual spelling; its
// error says in words that follow the setting's name what is allowed.
func NewSetting(name, about string, parse func(text string) (value any, spelling string, err error)) Setting {
	return Setting{Name: name, About: about, parse: parse}
}

// pageSize is how many records a page of a list of the API has when the request does not say. The limits are
// in internal/kind/query.go.
var pageSize = NumberSetting(1, kind.MaxPerPage, kind.DefaultPerPage, "page-size",
	"records on a page of a list of the API when a request does not say per_page")

// PageSize returns how many records a page of the API has when the request does not say.
func (s *Settings) PageSize() int { return s.Value(&pageSize).(int) }

// SettingNames returns the names of all settings.
func SettingNames() (names []string) {
	for _, s := range declared {
		names = append(names, s.Name)
	}
	return names
}

// SettingTexts returns what all settings mean, for those who translate it.
func SettingTexts() (texts []string) {
	for _, s := range declared {
		texts = append(texts, s.About)
	}
	return texts
}

// findSetting returns the setting of a name.
func findSetting(name string) (*Setting, error) {
	for _, s := range declared {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, Refuse(NotFound, "there is no setting %s, only %s", name, strings.Join(SettingNames(), ", "))
}

// settingsCounter counts the changes of settings, so that other nodes notice
// them.
const settingsCounter = "settings"

// Settings are those of a desk; the values in effect are in memory.
type Settings struct {
	desk    *Desk
	mu      sync.RWMutex
	values  map[*Setting]any
	version int64 // of settingsCounter when they were read
}

// Settings returns the settings.
func (d *Desk) Settings() *Settings { return &d.settings }

// Value returns the value of a setting in effect.
func (s *Settings) Value(of *Setting) any {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.values[of]
}

// reload reads all settings. One whose stored value means nothing to
// this version, as that of a newer one may, has its default.
func (s *Settings) reload(ctx context.Context) error {
	var stored map[string]string
	var version int64
	err := s.desk.store.View(ctx, func(tx *store.Tx) (err error) {
		if version, err = tx.Counter(ctx, settingsCounter); err == nil {
			stored, err = storedSettings(ctx, tx)
		}
		return err
	})
	if err != nil {
		return err
	}
	values := map[*Setting]any{}
	for _, one := range declared {
		value, _, err := one.parse(one.in(stored))
		if err != nil {
			s.desk.log.Warn("the stored value of a setting is not allowed; its default is used", "setting", one.Name,
				"error", err)
			value, _, _ = one.parse(one.Default)
		}
		values[one] = value
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if version >= s.version { // else a later state was read meanwhile
		s.values, s.version = values, version
	}
	return nil
}

// storedSettings reads the settings that were set, by name.
func storedSettings(ctx context.Context, tx *store.Tx) (map[string]string, error) {
	stored := map[string]string{}
	err := tx.Settings(ctx, func(name, value string) error {
		stored[name] = value
		return nil
	})
	return stored, err
}

// in returns the setting's value among those that were set, or its default.
func (s *Setting) in(stored map[string]string) string {
	if value, ok := stored[s.Name]; ok {
		return value
	}
	return s.Default
}

// catchUp reads the settings again if there was a change.
func (s *Settings) catchUp(ctx context.Context) error {
	s.mu.RLock()
	known := s.version
	s.mu.RUnlock()
	if stale, err := Stale(ctx, s.desk.store, settingsCounter, known); err != nil || !stale {
		return err
	}
	return s.reload(ctx)
}

// All returns all settings with their values.
func (s *Settings) All(ctx context.Context) (all []Setting, err error) {
	var stored map[string]string
	err = s.desk.store.View(ctx, func(tx *store.Tx) error {
		stored, err = storedSettings(ctx, tx)
		return err
	})
	for _, setting := range declared {
		one := *setting
		one.Value = one.in(stored)
		all = append(all, one)
	}
	return all, err
}

// Set sets a setting for all nodes and records it, if it is a change.
// Administrators alone may do that.
func (s *Settings) Set(ctx context.Context, who Caller, name, text string) error {
	one, err := findSetting(name)
	if err != nil {
		return err
	}
	value, spelling, err := one.parse(text)
	if fault, wrong := errors.AsType[message.Predicate](err); wrong {
		return kind.NewInvalid(fault.Of(message.Word(one.Name)))
	}
	err = s.desk.store.Update(ctx, func(tx *store.Tx) error {
		if _, err := tx.Count(ctx, settingsCounter); err != nil { // first: on PostgreSQL it orders these changes
			return err
		}
		if err := s.desk.Administers(ctx, tx, who, "a %s may not change settings"); err != nil {
			return err
		}
		stored, err := storedSettings(ctx, tx)
		if err != nil || one.in(stored) == spelling {
			return err
		}
		if err := one.ask(ctx, tx, s.desk, who, one.in(stored), value); err != nil {
			return err
		}
		if err := tx.SetSetting(ctx, one.Name, spelling); err != nil {
			return err
		}
		if err := one.suits(ctx, tx, one.in(stored), value); err != nil {
			return err
		}
		return s.desk.AppendAudits(ctx, tx, who, one.change(one.in(stored), spelling))
	})
	if err != nil {
		return err
	}
	if err := Learn(ctx, s.reload); err != nil {
		return err
	}
	s.desk.hooks.settingChanged(one)
	return nil
}

// Guarding returns the setting as one that asks who changes it to prove again that it
// is they.
func (s Setting) Guarding() Setting {
	return s.GuardingWhen(func(any, any) bool { return true })
}

// GuardingWhen is Guarding of those changes that need it.
func (s Setting) GuardingWhen(needed func(old, value any) bool) Setting {
	s.guards = needed
	return s
}

// ask returns a *StepUp if a change of the setting needs proof of who makes it.
func (s *Setting) ask(ctx context.Context, tx *store.Tx, d *Desk, who Caller, from string, value any) error {
	if s.guards == nil {
		return nil
	}
	if old, _, err := s.parse(from); err == nil && !s.guards(old, value) {
		return nil
	}
	return d.StepUp(ctx, tx, who, 0)
}

// suits refuses a value that the records are against. It comes after the value
// was set: so on PostgreSQL those who make use of the old one have either ended
// or will see the new one.
func (s *Setting) suits(ctx context.Context, tx *store.Tx, from string, value any) error {
	old, _, err := s.parse(from)
	if s.fits == nil || err != nil {
		return nil // nobody could make use of a value that is not allowed
	}
	return s.fits(ctx, tx, old, value)
}

// settingType is the record type of audit records of settings.
const settingType = "setting"

// change returns what an audit record says of a change.
func (s *Setting) change(from, to string) *inventory.Audit {
	a := &inventory.Audit{
		Action: inventory.Updated, RecordType: settingType, RecordName: s.Name,
		Changes: []inventory.AuditChange{{Field: "value", From: from, To: to}},
	}
	a.Message = SettingMessage(a).String()
	return a
}

// SettingMessage returns what an audit record of a setting says of its change, nothing for another record.
func SettingMessage(a *inventory.Audit) message.Text {
	if a.RecordType != settingType || len(a.Changes) != 1 {
		return message.Text{}
	}
	name, from, to := message.Word(a.RecordName), a.Changes[0].From, a.Changes[0].To
	switch {
	case from == "":
		return message.New("Setting %s changed from nothing to %s", name, to)
	case to == "":
		return message.New("Setting %s changed from %s to nothing", name, from)
	}
	return message.New("Setting %s changed from %s to %s", name, from, to)
}

// addedValues returns what a setting adds to the values of fields, as it is in
// the transaction of a change; nobody takes it away before the change is made.
func addedValues(ctx context.Context, tx *store.Tx, name string) ([]string, error) {
	s, err := findSetting(name)
	if err != nil {
		return nil, err
	}
	text, err := tx.SettingShared(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	value, _, err := s.parse(text)
	if err != nil {
		return nil, nil // the default, which reload logs
	}
	return value.([]string), nil
}

// Allowed returns the values that a field may have, with those that
// administrators have added; nil when it may have any.
func (s *Settings) Allowed(f *kind.Field) []string {
	one, err := findSetting(f.Added)
	if err != nil {
		return f.OneOf // nobody adds any
	}
	return slices.Concat(f.OneOf, s.Value(one).([]string))
}
