package main

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// stopTime is how long a child may take to end by itself.
const stopTime = 10 * time.Second

// A process is a child, seen from its parent.
type process struct {
	cmd     *exec.Cmd
	input   io.Closer
	send    *json.Encoder
	receive *json.Decoder
	address string
	roots   *x509.CertPool
}

// start starts a child that serves what is ordered. It ends with stop, with the
// context, or when this process ends in whatever way: its input ends then.
func start(ctx context.Context, o order) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, childArgument)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a child: %w", err)
	}
	p := &process{cmd: cmd, input: in, send: json.NewEncoder(in), receive: json.NewDecoder(out)}
	answer, err := p.ask(o)
	if err == nil {
		p.address = answer.Address
		p.roots, err = readRoots(o.Data)
	}
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("start a child: %w", err)
	}
	return p, nil
}

// readRoots reads the certificate of the authority in a data folder.
func readRoots(data string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(filepath.Join(data, "ca.pem"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("ca.pem holds no certificate")
	}
	return roots, nil
}

// ask sends an order or a question and returns the answer.
func (p *process) ask(what any) (*reply, error) {
	if err := p.send.Encode(what); err != nil {
		return nil, err
	}
	answer := &reply{}
	if err := p.receive.Decode(answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return answer, nil
}

// use returns what the child has used.
func (p *process) use() (use, error) {
	answer, err := p.ask(struct{}{})
	if err != nil {
		return use{}, fmt.Errorf("ask a child what it used: %w", err)
	}
	return answer.Use, nil
}

// stop ends the child, if need be by force.
func (p *process) stop() {
	_ = p.input.Close() // which is the sign to end
	force := time.AfterFunc(stopTime+time.Second, func() { _ = p.cmd.Process.Kill() })
	defer force.Stop()
	_ = p.cmd.Wait() // how it ends is of no interest
}
