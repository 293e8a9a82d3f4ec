package main

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"muster/bench/result"
)

// deletions is how many computers a connection deletes in a round.
const deletions = 50

// deletion returns the operation that deletes computers, which are made before
// each round and do not count.
func deletion(create operation) operation {
	var ids []int64
	made := int64(0)
	return operation{
		name: "delete", status: http.StatusOK, count: deletions, changes: true,
		ready: func(ctx context.Context, a *arena, _ *result.Comparison) error {
			fresh, err := a.create(ctx, create, made)
			made += int64(len(fresh))
			ids = append(ids, fresh...)
			return err
		},
		make: func(i int64) request {
			return request{http.MethodDelete, fmt.Sprintf("/hardwares/%d.xml", ids[i]), ""}
		},
	}
}

// create makes as many records as a round deletes, beginning with the first-th,
// and returns their ids.
func (a *arena) create(ctx context.Context, o operation, first int64) ([]int64, error) {
	makers := make([]*driver, connections)
	for i := range makers {
		c, err := dial(ctx, a.muster)
		if err != nil {
			return nil, err
		}
		defer c.close()
		next := first + int64(i*deletions)
		makers[i] = &driver{client: c, status: o.status, next: func() request { next++; return o.make(next - 1) }}
	}
	ids := make(chan int64, connections*deletions)
	err := together(makers, func(d *driver) error { return d.makeEach(ctx, ids) })
	close(ids)
	var all []int64
	for id := range ids {
		all = append(all, id)
	}
	return all, err
}

// makeEach creates records and sends their ids.
func (d *driver) makeEach(ctx context.Context, ids chan<- int64) error {
	for range deletions {
		if err := d.make(ctx, 1); err != nil {
			return err
		}
		id, err := idIn(d.client.body)
		if err != nil {
			return err
		}
		ids <- id
	}
	return nil
}

var idElement = regexp.MustCompile(`<id[^>]*>(\d+)</id>`)

// idIn returns the id of the record in a document.
func idIn(document []byte) (int64, error) {
	m := idElement.FindSubmatch(document)
	if m == nil {
		return 0, fmt.Errorf("a document has no id: %s", document)
	}
	return strconv.ParseInt(string(m[1]), 10, 64)
}
