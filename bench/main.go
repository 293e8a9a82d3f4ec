// Command bench measures what the product costs, each figure beside a rival or
// a ceiling that is measured in the same run, round by round in turn: documents
// beside encoding/xml, digest authentication beside bare hashes, and requests
// to the real server, a process of its own, beside net/http that answers with
// a fixed body. Figures of one machine on one day mean little, ratios do.
//
//	bench [flags]
//	bench text RESULT.json
//	bench doc RESULT.json FOLDER
//
// The first form measures a selection in less than half an hour, with -all what
// the document has. The second prints a run that -json has written as results of Go's
// benchmarks, for benchstat, which compares two of them; the third writes its
// figures into doc/performance.md.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"muster/bench/result"
)

// reportsOfAgent is how many reports an agent sends in a round.
const reportsOfAgent = 4

// settings are what the command line says.
type settings struct {
	rounds int
	// of the databases that are measured, one after the other: computers, and as many tickets and as much
	// software
	sizes   []int
	size    int   // of the present one
	beside  []int // of those with which tasks are measured beside writers
	reading bool  // nothing that is measured changes the present database
	only    *regexp.Regexp
	json    string
	data    string
	observe string        // where the server serves its profiles
	reports int           // of an agent in a round
	window  time.Duration // how long one side of a round is driven, 0 for as long as a figure needs
	work    time.Duration // how long a desk at work is measured, 0 for not at all
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == childArgument {
		exit(runChild(os.Stdin, os.Stdout))
	}
	if len(os.Args) > 1 && os.Args[1] == result.TextArgument {
		exit(result.WriteText(os.Args[2:], os.Stdout))
	}
	if len(os.Args) > 1 && os.Args[1] == result.DocArgument {
		exit(result.WriteDoc(os.Args[2:], layout()))
	}
	s, err := parseSettings(os.Args[1:])
	if err != nil {
		exit(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err = run(ctx, s)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted") // whatever it broke
	}
	stop()
	exit(err)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// parseSettings reads the command line.
func parseSettings(args []string) (*settings, error) {
	s := &settings{reports: reportsOfAgent, beside: besideSizes}
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	all := flags.Bool("all", false, fmt.Sprintf("measure everything with %d computers, and more "+
		"with other numbers of them, which takes an hour and a half", wholeSize))
	flags.IntVar(&s.rounds, "rounds", 0,
		fmt.Sprintf("how often each figure is measured (default %d, with -all %d); medians are shown", usual.rounds,
			whole.rounds))
	sizes := flags.String("sizes", "", fmt.Sprintf("measure databases of these `numbers` of computers, each with as "+
		"many tickets and as much software (default %s, with -all %s)", usual.sizes, whole.sizes))
	only := flags.String("only", "", "of all there is measure what matches this `regexp`, such as 'sqlite 10000 list'")
	flags.StringVar(&s.json, "json", "", "write the results to this `file` too")
	flags.StringVar(&s.data, "data", "",
		"keep databases in this `folder` between runs (default a folder in the user's cache)")
	flags.DurationVar(&s.work, "work", 0, "measure a desk at work for so `long` too, such as 5m")
	flags.StringVar(&s.observe, "observe", "", "let the server serve profiles on this `address`, as muster serve does")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 || s.rounds < 0 {
		return nil, fmt.Errorf("there is nothing else to say than flags, and -rounds must be at least 1; see -help")
	}
	scope := usual
	if *all {
		scope = whole
	}
	s.rounds = cmp.Or(s.rounds, scope.rounds)
	var err error
	if s.sizes, err = parseSizes(cmp.Or(*sizes, scope.sizes)); err != nil {
		return nil, err
	}
	if s.only, err = regexp.Compile(*only); err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	if *only == "" {
		s.only = scope.names()
	}
	if s.data != "" {
		return s, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("find a place for databases, or give one with -data: %w", err)
	}
	s.data = filepath.Join(cache, "muster-bench")
	return s, nil
}

// parseSizes reads the sizes of several databases and returns the smallest first.
func parseSizes(text string) (sizes []int, err error) {
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-sizes: %q is no number of computers: give numbers with commas between them, such as 1000,10000", word)
		}
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	return sizes, nil
}

// run measures everything and prints the table.
func run(ctx context.Context, s *settings) error {
	r := &result.Run{
		Time: time.Now().UTC().Truncate(time.Second), Go: runtime.Version(), Machine: machine(),
		Rounds: s.rounds, Sizes: s.sizes,
	}
	if err := measure(ctx, s, r); err != nil {
		return err
	}
	fmt.Print(r.Text())
	return s.keep(r)
}

// keep writes what was measured so far to the file of -json, if there is one.
func (s *settings) keep(r *result.Run) error {
	if s.json == "" {
		return nil
	}
	return r.WriteJSON(s.json)
}

// measure adds all comparisons that are wanted to the report.
func measure(ctx context.Context, s *settings, r *result.Run) error {
	for _, part := range []func(context.Context, *settings, *result.Run) error{
		benchBinary, benchDocuments, benchDigest, benchSizes,
	} {
		if err := part(ctx, s, r); err != nil {
			return err
		}
	}
	return nil
}

// benchSizes measures the server with each size of databases. What was measured is kept after each, since the last
// takes longest.
func benchSizes(ctx context.Context, s *settings, r *result.Run) error {
	for _, n := range s.sizes {
		one := *s
		one.size = n
		if err := errors.Join(benchServers(ctx, &one, r), s.keep(r)); err != nil {
			return err
		}
	}
	return nil
}

// machine describes the machine that the figures are from, and where the system reports it, how busy it was
// with other things.
func machine() string {
	text := fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		minute, _, _ := strings.Cut(string(load), " ")
		text += ", load " + minute
	}
	return text
}

// progress informs the person who waits.
func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }
