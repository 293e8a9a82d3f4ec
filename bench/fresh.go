package main

import "muster/bench/result"

// freshWithin is how many times the CPU time of a fixed body a record may take, when both are asked for over a new
// connection and with a new nonce.
const freshWithin = 1.5

// freshReads are reads of clients that connect for each request, as scripts do: the TLS handshake and the challenge
// are part of their cost, and of that of the fixed body beside them.
func freshReads(n int) []operation {
	record := reads(n)[0]
	record.name, record.fresh = record.name+", new connection and nonce", true
	record.goals = result.Goals{Aim: "new connection and nonce", Within: freshWithin}
	return []operation{record}
}

// send sends a request, over a new connection if each has its own.
func (d *driver) send(r request) error {
	if !d.fresh {
		return d.client.do(r)
	}
	c, err := d.connect()
	if err != nil {
		return err
	}
	defer c.close()
	c.cookie, d.client = d.cookie, c
	return c.do(r)
}
