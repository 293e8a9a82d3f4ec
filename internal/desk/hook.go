package desk

import (
	"context"
	"errors"
	"sync"
)

// hooks are what packages above the desk do when something happens in it.
type hooks struct {
	mu      sync.RWMutex
	catchUp []func(context.Context) error
	setting []func(*Setting)
}

// OnCatchUp lets f read again what it has in memory, whenever the desk looks for what others have changed.
func (d *Desk) OnCatchUp(f func(context.Context) error) {
	d.hooks.mu.Lock()
	defer d.hooks.mu.Unlock()
	d.hooks.catchUp = append(d.hooks.catchUp, f)
}

// OnSetting calls f after a setting was changed by this desk.
func (d *Desk) OnSetting(f func(*Setting)) {
	d.hooks.mu.Lock()
	defer d.hooks.mu.Unlock()
	d.hooks.setting = append(d.hooks.setting, f)
}

// catchUpAbove lets packages above the desk catch up.
func (d *Desk) catchUpAbove(ctx context.Context) (err error) {
	d.hooks.mu.RLock()
	defer d.hooks.mu.RUnlock()
	for _, f := range d.hooks.catchUp {
		err = errors.Join(err, f(ctx))
	}
	return err
}

// settingChanged notifies packages above the desk.
func (d *Desk) settingChanged(s *Setting) {
	d.hooks.mu.RLock()
	defer d.hooks.mu.RUnlock()
	for _, f := range d.hooks.setting {
		f(s)
	}
}
