package server

import (
	"context"
	"fmt"

	"muster/internal/desk"
)

// A SettingCommand changes a setting or lists all.
type SettingCommand struct {
	Do    string // set or list
	Name  string
	Value string
}

// A SettingResult is the outcome of a SettingCommand.
type SettingResult struct {
	Settings []desk.Setting
}

// Setting carries out a command about settings, whether or not a server runs on
// the data folder.
func (p *Place) Setting(ctx context.Context, cmd SettingCommand) (*SettingResult, error) {
	return do(ctx, p, cmd)
}

// Setting carries out a command about settings on the running server.
func (s *Server) Setting(ctx context.Context, cmd SettingCommand) (*SettingResult, error) {
	return cmd.carryOut(ctx, s.installation)
}

func (c SettingCommand) path() string { return "/settings" }

func (c SettingCommand) first() bool { return false }

func (c SettingCommand) carryOut(ctx context.Context, h *installation) (res *SettingResult, err error) {
	res = &SettingResult{}
	switch c.Do {
	case "set":
		err = h.desk.Settings().Set(ctx, origin, c.Name, c.Value)
	case "list":
		res.Settings, err = h.desk.Settings().All(ctx)
	default:
		err = fmt.Errorf("unknown command %q", c.Do)
	}
	return res, err
}
