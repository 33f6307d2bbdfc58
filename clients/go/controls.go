package icosa

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Clock of an instance. Timers, schedules, retries and expiries follow it.
type Clock struct{ control *control }

type clockState struct {
	Now    time.Time
	Frozen bool
}

// Now returns the time of the instance.
func (clock Clock) Now() (time.Time, error) {
	var state clockState
	err := clock.control.call("GET", "/clock", nil, &state)
	return state.Now, err
}

// move moves the clock, and waits for the node, which learns of it within milliseconds.
func (clock Clock) move(move map[string]any) (time.Time, error) {
	var moved clockState
	if err := clock.control.call("PUT", "/clock", move, &moved); err != nil {
		return moved.Now, err
	}
	for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(10 * time.Millisecond) {
		now, err := clock.Now()
		latest := moved.Now
		if !moved.Frozen {
			latest = latest.Add(time.Since(began) + time.Second)
		}
		if err != nil || !now.Before(moved.Now) && !now.After(latest) {
			return moved.Now, err
		}
	}
	return moved.Now, fmt.Errorf("icosa: the clock of the instance did not follow a move to %v", moved.Now)
}

// Advance moves the clock by a duration.
func (clock Clock) Advance(by time.Duration) (time.Time, error) {
	return clock.move(map[string]any{"byMs": by.Milliseconds()})
}

// Set moves the clock to a time.
func (clock Clock) Set(to time.Time) (time.Time, error) {
	return clock.move(map[string]any{"to": to.UTC().Format("2006-01-02T15:04:05.000Z")})
}

// Freeze stops the clock.
func (clock Clock) Freeze() (time.Time, error) { return clock.move(map[string]any{"frozen": true}) }

// Run lets a frozen clock run on.
func (clock Clock) Run() (time.Time, error) { return clock.move(map[string]any{"frozen": false}) }

// Reset returns to real time.
func (clock Clock) Reset() (time.Time, error) { return clock.move(map[string]any{"reset": true}) }

// Fault is met by calls on purpose.
type Fault struct {
	// Target is an operation, "backup:StartBackupJob" or "backup:List*", or a job.
	Target string `json:"target"`
	// Kind is latency, error, throttle, drop, dropReply or stop.
	Kind string `json:"kind"`
	// Share of the calls, from 0 to 1. Default: all.
	Share float64 `json:"share,omitempty"`
	// Times is the number of hits after which it ends.
	Times             int    `json:"times,omitempty"`
	DelayMs           int    `json:"delayMs,omitempty"`
	Code              string `json:"code,omitempty"`
	RetryAfterSeconds int    `json:"retryAfterSeconds,omitempty"`
	AfterMs           int    `json:"afterMs,omitempty"`
	Seed              int    `json:"seed,omitempty"`
}

// ActiveFault is a fault with the number of calls that matched it, and of those that it hit.
type ActiveFault struct {
	Fault
	ID   string `json:"id"`
	Seen int    `json:"seen"`
	Hit  int    `json:"hit"`
}

// Faults of an instance.
type Faults struct{ control *control }

// Add injects a fault. One that can never occur is refused.
func (faults Faults) Add(fault Fault) (ActiveFault, error) {
	var active ActiveFault
	err := faults.control.call("POST", "/faults", fault, &active)
	return active, err
}

// List returns the active faults.
func (faults Faults) List() ([]ActiveFault, error) {
	var answer struct{ Faults []ActiveFault }
	err := faults.control.call("GET", "/faults", nil, &answer)
	return answer.Faults, err
}

// Remove removes one fault.
func (faults Faults) Remove(id string) error {
	return faults.control.call("DELETE", "/faults/"+url.PathEscape(id), nil, nil)
}

// Clear removes all faults.
func (faults Faults) Clear() error { return faults.control.call("DELETE", "/faults", nil, nil) }

// Snapshot is the whole state under a name: rows, blobs, databases of tenants, tokens, queues, clock.
type Snapshot struct {
	Name    string
	SavedAt time.Time
	Bytes   int64
}

type snapshotList struct {
	Snapshots []Snapshot
	Action    struct{ State, Message string }
}

// Snapshots lists the snapshots, oldest first.
func (app *Icosa) Snapshots() ([]Snapshot, error) {
	var list snapshotList
	err := app.control.call("GET", "/snapshots", nil, &list)
	return list.Snapshots, err
}

// Snapshot saves the whole state. The instance stops for it and starts again.
func (app *Icosa) Snapshot(name string) error {
	return app.act("PUT", "/snapshots/"+url.PathEscape(name))
}

// Restore returns to a snapshot. Running requests are cut off.
func (app *Icosa) Restore(name string) error {
	return app.act("POST", "/snapshots/"+url.PathEscape(name)+"/restore")
}

const actionTimeout = 2 * time.Minute

// act starts an action and waits until the instance is back.
func (app *Icosa) act(method, path string) error {
	if err := app.control.call(method, path, nil, nil); err != nil {
		return err
	}
	for ends := time.Now().Add(actionTimeout); time.Now().Before(ends); time.Sleep(50 * time.Millisecond) {
		var list snapshotList
		if app.control.call("GET", "/snapshots", nil, &list) != nil {
			continue // it is stopped
		}
		switch list.Action.State {
		case "succeeded":
			return nil
		case "failed":
			return errors.New("icosa: " + list.Action.Message)
		}
	}
	return fmt.Errorf("icosa: the instance was not back within %v", actionTimeout)
}
