package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"text/tabwriter"

	"muster/internal/server"
)

type settingCmd struct {
	Get  settingGetCmd  `cmd:"" help:"Print the value of a setting."`
	Set  settingSetCmd  `cmd:"" help:"Change a setting, on all nodes."`
	List settingListCmd `cmd:"" help:"List all settings with their values and meanings."`
}

// setting carries out a command about settings on the installation.
func (p *place) setting(cmd server.SettingCommand) (*server.SettingResult, error) {
	where := p.place(newLog(slog.LevelWarn))
	return where.Setting(context.Background(), cmd)
}

type settingGetCmd struct {
	Name string `arg:"" enum:"${settings}" help:"Name of the setting."`
	place
}

// Run prints a setting.
func (c *settingGetCmd) Run() error {
	res, err := c.setting(server.SettingCommand{Do: "list"})
	if err != nil {
		return err
	}
	for _, s := range res.Settings {
		if s.Name == c.Name {
			fmt.Println(s.Value)
		}
	}
	return nil
}

type settingSetCmd struct {
	Name  string `arg:"" enum:"${settings}" help:"Name of the setting."`
	Value string `arg:"" help:"New value of the setting."`
	place
}

// Run changes a setting.
func (c *settingSetCmd) Run() error {
	_, err := c.setting(server.SettingCommand{Do: "set", Name: c.Name, Value: c.Value})
	return err
}

type settingListCmd struct{ place }

// Run lists the settings.
func (c *settingListCmd) Run() error {
	res, err := c.setting(server.SettingCommand{Do: "list"})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tVALUE\tDEFAULT\tMEANING")
	for _, s := range res.Settings {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, shown(s.Value), shown(s.Default), s.About)
	}
	return w.Flush()
}

// shown returns a value as a table shows it.
func shown(value string) string {
	if value == "" {
		return "(none)"
	}
	return value
}
