// Ten tests of a project that uses the test kit.
package sample

import (
	"log"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	icosa "github.com/icosa/icosa/clients/go"
)

var app *icosa.Icosa

func TestMain(m *testing.M) {
	started, err := icosa.Start(icosa.Options{Services: []string{"backup", "face-recognition", "job-scheduler"}})
	if err != nil {
		log.Fatal(err)
	}
	app = started
	code := m.Run()
	if err := app.Close(); err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

// tenantOf returns a tenant of this test alone.
func tenantOf(t *testing.T, permissions ...string) *icosa.Tenant {
	t.Helper()
	tenant, err := app.TenantOf(t.Name(), permissions...)
	if err != nil {
		t.Fatal(err)
	}
	return tenant
}

// resets lets a test move the clock and inject faults.
func resets(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { must(t, app.Reset()) })
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fetch(t *testing.T, tenant *icosa.Tenant, status int, service, method, path string, body any) *icosa.Response {
	t.Helper()
	response, err := tenant.Fetch(service, method, path, body)
	must(t, err)
	if response.Status != status {
		t.Fatalf("%s %s answered %d: %s", method, path, response.Status, response.Body)
	}
	return response
}

func putVault(t *testing.T, tenant *icosa.Tenant, name string) {
	t.Helper()
	fetch(t, tenant, 200, "backup", "PUT", "/backup-vaults/"+name, struct{}{})
}

func expectVaults(t *testing.T, tenant *icosa.Tenant, names ...string) {
	t.Helper()
	var list struct {
		BackupVaultList []struct{ BackupVaultName string }
	}
	must(t, fetch(t, tenant, 200, "backup", "GET", "/backup-vaults/", nil).JSON(&list))
	var found []string
	for _, vault := range list.BackupVaultList {
		found = append(found, vault.BackupVaultName)
	}
	if !reflect.DeepEqual(found, names) {
		t.Errorf("vaults are %v instead of %v", found, names)
	}
}

func TestSignedService(t *testing.T) {
	tenant := tenantOf(t)
	putVault(t, tenant, "mine")
	expectVaults(t, tenant, "mine")
}

func TestServiceWithKey(t *testing.T) {
	tenant := tenantOf(t)
	fetch(t, tenant, 200, "face-recognition", "PUT", "/persongroups/people", map[string]string{"name": "People"})
	var group struct{ Name string }
	must(t, fetch(t, tenant, 200, "face-recognition", "GET", "/persongroups/people", nil).JSON(&group))
	if group.Name != "People" {
		t.Errorf("the name is %q", group.Name)
	}
}

func TestTenantsSeeNothingOfEachOther(t *testing.T) {
	putVault(t, tenantOf(t), "mine")
	other, err := app.TenantOf("other")
	must(t, err)
	expectVaults(t, other)
}

func TestTenantWithFewPermissions(t *testing.T) {
	reader := tenantOf(t, "backup:List*")
	expectVaults(t, reader)
	fetch(t, reader, 403, "backup", "PUT", "/backup-vaults/mine", struct{}{})
}

func TestErrorOnPurpose(t *testing.T) {
	resets(t)
	_, err := app.Faults.Add(icosa.Fault{Target: "backup:ListBackupVaults", Kind: "error", Code: "ThrottlingException", Times: 1})
	must(t, err)
	refused := fetch(t, app.Tenant, 429, "backup", "GET", "/backup-vaults/", nil)
	if !strings.Contains(refused.Header.Get("Icosa-Fault"), "error") {
		t.Errorf("the header is %q", refused.Header.Get("Icosa-Fault"))
	}
	fetch(t, app.Tenant, 200, "backup", "GET", "/backup-vaults/", nil)
}

func TestFaultThatCannotOccurIsRefused(t *testing.T) {
	_, err := app.Faults.Add(icosa.Fault{Target: "backup:ListBackupVault", Kind: "drop"})
	if err == nil || !strings.Contains(err.Error(), "ListBackupVaults") {
		t.Errorf("the error is %v", err)
	}
}

func TestYearLater(t *testing.T) {
	resets(t)
	_, err := app.Clock.Freeze()
	must(t, err)
	_, err = app.Clock.Set(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	must(t, err)
	now, err := app.Clock.Advance(365 * 24 * time.Hour)
	must(t, err)
	if !now.Equal(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("it is %v", now)
	}
}

func TestJobThatIsDueTomorrow(t *testing.T) {
	resets(t)
	const jobs = "/subscriptions/one/resourceGroups/group/providers/Vendor.Scheduler/jobCollections/jobs"
	const version = "?api-version=2016-03-01"
	collection := map[string]any{"location": "local", "properties": struct{}{}}
	fetch(t, app.Tenant, 201, "job-scheduler", "PUT", jobs+version, collection)
	now, err := app.Clock.Now()
	must(t, err)
	fetch(t, app.Tenant, 201, "job-scheduler", "PUT", jobs+"/jobs/ping"+version, map[string]any{"properties": map[string]any{
		"startTime": now.Add(24 * time.Hour),
		"action":    map[string]any{"type": "Http", "request": map[string]string{"method": "GET", "uri": "http://127.0.0.1:9/"}},
	}})
	runs := func() int {
		must(t, app.Settle(time.Minute))
		var history struct{ Value []struct{} }
		must(t, fetch(t, app.Tenant, 200, "job-scheduler", "GET", jobs+"/jobs/ping/history"+version, nil).JSON(&history))
		return len(history.Value)
	}
	if count := runs(); count != 0 {
		t.Errorf("it ran %d times today", count)
	}
	_, err = app.Clock.Advance(25 * time.Hour)
	must(t, err)
	if runs() == 0 {
		t.Error("it did not run tomorrow")
	}
}

func TestBackToSnapshot(t *testing.T) {
	resets(t)
	putVault(t, app.Tenant, "kept")
	must(t, app.Snapshot("seeded"))
	putVault(t, app.Tenant, "another")
	must(t, app.Restore("seeded"))
	expectVaults(t, app.Tenant, "kept")
}

func TestWhatWasSent(t *testing.T) {
	resets(t)
	sent := fetch(t, app.Tenant, 404, "backup", "GET", "/backup-vaults/none", nil)
	requests, err := app.Requests("backup", 400)
	must(t, err)
	if last := requests[len(requests)-1]; last.ID != sent.Header.Get("X-Request-Id") {
		t.Errorf("the last request is %+v", last)
	}
}
