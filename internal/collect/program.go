package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// program runs a program that is there for a part and returns what it printed, nothing when it is not installed or
// fails. It may take so long, and no more.
func (m *Machine) program(ctx context.Context, part string, limit time.Duration, name string, args ...string) []byte {
	file, err := exec.LookPath(name)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, file, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second // for what a program has started and left behind
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		err = fmt.Errorf("%s takes longer than %s", name, limit)
	case err != nil:
		err = errors.New(strings.TrimSpace(name + ": " + err.Error() + "\n" + errs.String()))
	default:
		return out.Bytes()
	}
	m.Log(part, err)
	return nil
}
