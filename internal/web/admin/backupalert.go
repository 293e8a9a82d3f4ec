package admin

import (
	"muster/internal/desk/backup"
	"muster/internal/web/page"
)

// AlertBackups says on every page of administrators that backups fail, or that none are made; nil if all is well.
func AlertBackups(c *page.Call) (*page.Alert, error) {
	if !page.Admins.Allows(c.User) {
		return nil, nil
	}
	o, err := c.App.Backups.Overview(c.Context())
	if err != nil {
		return nil, err
	}
	switch o.Judge(c.App.Now()) {
	case backup.Failing:
		why := c.Fault(o.Fault.Text)
		if o.Fault.Drill {
			return &page.Alert{Text: c.T("The last backup could not be proved: %s.", why), Path: StoragePath}, nil
		}
		return &page.Alert{Text: c.T("The last backup failed: %s.", why), Path: StoragePath}, nil
	case backup.Late:
		return &page.Alert{Text: c.T("No backup has been made for more than a day."), Path: StoragePath}, nil
	}
	return nil, nil
}
