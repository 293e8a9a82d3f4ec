package backup

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"muster/internal/archive"
	"muster/internal/desk"
	"muster/internal/message"
)

// Settings of backups by schedule.
var (
	folderSetting = usual("backups", desk.NewSetting("backup-folder",
		"folder of the backups that are made each day, inside the data folder of each server unless it begins with /", readFolder))
	hourSetting = usual("03:00", desk.NewSetting("backup-hour",
		"time of the day, in the time zone of the server, at which a backup is made; off for none", readHour))
	keepSetting = usual("7 daily, 4 weekly", desk.NewSetting("backup-keep",
		"how many of these backups are kept: the last of so many days, and before them of so many weeks", readKeep))
	forSetting = desk.NewSetting("backup-for",
		"public keys that these backups are encrypted to, separated by commas, as muster backup-key prints them; "+
			"empty for no encryption", readKeys)
)

func init() {
	// who may change where backups lie and who reads them, reads all there is
	folderSetting, forSetting = folderSetting.Guarding(), forSetting.Guarding()
	// and who lets there be none, or fewer, may be about to destroy what they are of
	hourSetting = hourSetting.GuardingWhen(func(old, value any) bool { return old.(hour).on && !value.(hour).on })
	keepSetting = keepSetting.GuardingWhen(func(old, value any) bool { return value.(Keep).isLess(old.(Keep)) })
	desk.Declare(&folderSetting, &hourSetting, &keepSetting, &forSetting)
}

// usual returns a setting with a default.
func usual(value string, s desk.Setting) desk.Setting {
	s.Default = value
	return s
}

// readFolder reads the name of a folder. One below the data folder does not leave it.
func readFolder(text string) (any, string, error) {
	name := strings.TrimSpace(text)
	if !desk.IsLine(name) || name == "" || !filepath.IsAbs(name) && !filepath.IsLocal(name) {
		return nil, "", message.Says("must be the path of a folder, or a name inside the data folder, not %q", text)
	}
	name = filepath.Clean(name)
	return name, name, nil
}

// An hour is when backups are made.
type hour struct {
	at time.Duration // since midnight
	on bool
}

// off is the hour of no backups.
const off = "off"

func readHour(text string) (any, string, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	if word == off {
		return hour{}, off, nil
	}
	at, err := time.Parse("15:04", word)
	if err != nil {
		return nil, "", message.Says("must be a time of the day such as 03:00, or off, not %q", text)
	}
	since := time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	return hour{since, true}, at.Format("15:04"), nil
}

// A Keep says how many backups are kept.
type Keep struct{ Daily, Weekly int }

// isLess reports whether one keeps fewer than another, of days or of weeks.
func (k Keep) isLess(other Keep) bool { return k.Daily < other.Daily || k.Weekly < other.Weekly }

// The most backups that can be kept.
const (
	mostDaily  = 366
	mostWeekly = 520
)

var keepForm = regexp.MustCompile(`^(\d{1,3}) daily, ?(\d{1,3}) weekly$`)

func readKeep(text string) (any, string, error) {
	m := keepForm.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if m == nil {
		return nil, "", message.Says("must be such as “7 daily, 4 weekly”, not %q", text)
	}
	daily, _ := strconv.Atoi(m[1]) // which the form has checked
	weekly, _ := strconv.Atoi(m[2])
	if daily < 1 || daily > mostDaily || weekly > mostWeekly {
		return nil, "", message.Says("must be from 1 to %d daily, and from 0 to %d weekly", mostDaily, mostWeekly)
	}
	return Keep{daily, weekly}, fmt.Sprintf("%d daily, %d weekly", daily, weekly), nil
}

// mostKeys is how many public keys backups are encrypted to at most.
const mostKeys = 20

func readKeys(text string) (any, string, error) {
	keys, spellings := []archive.PublicKey{}, []string{}
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		key, err := archive.ParsePublicKey(one)
		if err != nil {
			return nil, "", message.Says("must have public keys that begin with age1, which %s is not",
				fmt.Sprintf("%.30q", one))
		}
		keys, spellings = append(keys, key), append(spellings, key.String())
	}
	if len(keys) > mostKeys {
		return nil, "", message.Says("must have at most %d values", mostKeys)
	}
	return keys, strings.Join(spellings, ", "), nil
}

// At returns at what time of the day backups are made, and false while none are.
func (s *Service) At() (sinceMidnight time.Duration, on bool) {
	h := s.desk.Settings().Value(&hourSetting).(hour)
	return h.at, h.on
}

// Folder returns the folder of the backups that this server makes.
func (s *Service) Folder() string {
	name := s.desk.Settings().Value(&folderSetting).(string)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.place.Data, name)
}

// Kept returns how many backups are to be kept. See Rule for when fewer are.
func (s *Service) Kept() Keep { return s.desk.Settings().Value(&keepSetting).(Keep) }

// Rule returns by what old backups are removed now.
func (s *Service) Rule(state *State) Rule { return state.Rule.at(s.desk.Now(), s.Kept()) }

// Keys returns the public keys that backups are encrypted to.
func (s *Service) Keys() []archive.PublicKey {
	return s.desk.Settings().Value(&forSetting).([]archive.PublicKey)
}
