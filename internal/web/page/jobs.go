package page

import (
	"net/http"
	"strconv"

	"muster/internal/front"
)

// JobsPath is the page of all jobs.
const JobsPath = "/jobs"

// JobPath returns what the paths of a job are below.
func JobPath(id int64) string { return JobsPath + "/" + strconv.FormatInt(id, 10) }

// jobOf returns the id of the job that a path names.
func jobOf(c *Call) (int64, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil {
		return 0, front.Fault(http.StatusNotFound, "there is no job %q", c.PathValue("id"))
	}
	return id, nil
}

// StopJob ends a job, and leads back to where the person saw it.
func StopJob(c *Call) (*Answer, error) {
	id, err := jobOf(c)
	if err != nil {
		return nil, err
	}
	if err := c.App.Jobs.Stop(c.Context(), c.Who(), id); err != nil {
		return nil, err
	}
	return c.GoTo(OwnPath(c.URL.Query().Get("back")))
}

// RetryJob lets a job go on at once, and leads back to where the person saw it.
func RetryJob(c *Call) (*Answer, error) {
	id, err := jobOf(c)
	if err != nil {
		return nil, err
	}
	if err := c.App.Jobs.Retry(c.Context(), c.Who(), id); err != nil {
		return nil, err
	}
	return c.GoTo(OwnPath(c.URL.Query().Get("back")))
}
