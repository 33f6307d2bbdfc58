// Package icosa runs Icosa in tests: it starts an instance, calls its services, moves its clock and injects faults.
//
// The controls are operations of the platform, described by openapi/platform.json.
package icosa

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Icosa is an instance: the tenant "dev", other tenants, and the controls.
type Icosa struct {
	*Tenant
	URL    string
	Clock  Clock
	Faults Faults

	control *control
	close   func() error
}

// ForTest starts an instance that is closed at the end of the test.
func ForTest(t testing.TB, options Options) *Icosa {
	t.Helper()
	app, err := Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	})
	return app
}

// Connect uses a running instance, such as one in a container. A nil client is http.DefaultTransport without redirects.
func Connect(address, key string, client *http.Client) (*Icosa, error) {
	if client == nil {
		client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	c := &control{url: strings.TrimRight(address, "/"), key: key, client: client}
	app := &Icosa{URL: c.url, Clock: Clock{c}, Faults: Faults{c}, control: c, close: func() error { return nil }}
	tenant, err := app.TenantOf("dev")
	app.Tenant = tenant
	return app, err
}

// Close stops an instance that Start has started. No process, port, database or file of it is left.
func (app *Icosa) Close() error { return app.close() }

// TenantOf returns another tenant, isolated from the first, and creates it if there is none of that name. Without
// permissions, such as "backup:List*", it may do everything.
func (app *Icosa) TenantOf(name string, permissions ...string) (*Tenant, error) {
	wanted := map[string]any{"name": name}
	if len(permissions) > 0 {
		wanted["permissions"] = permissions
	}
	var created struct{ Endpoints []listed }
	if err := app.control.call("POST", "/tenants", wanted, &created); err != nil {
		return nil, err
	}
	tenant := &Tenant{Name: name}
	for _, one := range created.Endpoints {
		endpoint, err := one.endpoint(app.URL, app.control.client)
		if err != nil {
			return nil, err
		}
		tenant.Services = append(tenant.Services, endpoint)
	}
	return tenant, nil
}

// Settle waits until no job is due.
func (app *Icosa) Settle(timeout time.Duration) error {
	var answer struct{ Settled bool }
	err := app.control.call("POST", "/settle", map[string]any{"timeoutMs": timeout.Milliseconds()}, &answer)
	if err == nil && !answer.Settled {
		err = fmt.Errorf("icosa: jobs were still due after %v", timeout)
	}
	return err
}

// Reset deletes the data of all services, and resets clock and faults.
func (app *Icosa) Reset() error {
	if err := app.Faults.Clear(); err != nil {
		return err
	}
	if _, err := app.Clock.Reset(); err != nil {
		return err
	}
	return app.control.call("POST", "/reset", map[string]any{}, nil)
}

// ResetTenant deletes the data of one tenant.
func (app *Icosa) ResetTenant(name string) error {
	return app.control.call("POST", "/reset", map[string]any{"tenant": name}, nil)
}

// SentRequest is a request that the instance has answered, without secrets.
type SentRequest struct {
	ID        string
	At        time.Time
	Service   string
	Operation string
	Method    string
	Path      string
	Status    int
}

// Requests returns the last requests of a service with at least this status, oldest first.
func (app *Icosa) Requests(service string, minStatus int) ([]SentRequest, error) {
	query := url.Values{"service": {service}, "minStatus": {strconv.Itoa(minStatus)}}
	var answer struct{ Value []SentRequest }
	err := app.control.call("GET", "/requests?"+query.Encode(), nil, &answer)
	return answer.Value, err
}

// Event is a part of the trace of a request: the request itself, a job or a delivery.
type Event struct {
	Kind    string
	Name    string
	At      time.Time
	Failed  bool
	Attempt int
	Outcome string
	Status  int
	Error   string
}

// History returns the trace of a request, by the header X-Request-Id of its response.
func (app *Icosa) History(requestID string) ([]Event, error) {
	var answer struct{ Value []Event }
	err := app.control.call("GET", "/history?"+url.Values{"request": {requestID}}.Encode(), nil, &answer)
	return answer.Value, err
}

// control calls operations of the platform.
type control struct {
	url, key string
	client   *http.Client
}

func (c *control) call(method, path string, body, result any) error {
	header := http.Header{"X-Api-Key": {c.key}}
	response, err := send(c.client, method, c.url+"/platform"+path, header, body, nil)
	if err != nil {
		return err
	}
	if response.Status >= 400 {
		var refusal struct{ Error struct{ Message string } }
		if json.Unmarshal(response.Body, &refusal) != nil || refusal.Error.Message == "" {
			refusal.Error.Message = string(response.Body)
		}
		return fmt.Errorf("icosa: %s %s answered %d: %s", method, path, response.Status, refusal.Error.Message)
	}
	if result == nil || len(response.Body) == 0 {
		return nil
	}
	return response.JSON(result)
}
