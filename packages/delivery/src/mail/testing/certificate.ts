/** For tests only: of a server at 0.0.0.0, which is this machine but not one of the names that count as such. */
export const certificate = `
-----BEGIN CERTIFICATE-----
MIIBWzCCAQGgAwIBAgIBATAKBggqhkjOPQQDAjAjMSEwHwYDVQQDExhtYWlsIHNl
cnZlciBvZiB0aGUgdGVzdHMwIBcNMDAwMTAxMDAwMDAwWhgPMjEyNTAxMDEwMDAw
MDBaMCMxITAfBgNVBAMTGG1haWwgc2VydmVyIG9mIHRoZSB0ZXN0czBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABKM7bvu9ot5g7KezACBX4ncDlSFP3FFb/zihmfuS
+ApXqd1/gu6hYOggRaGx/doXP4rab/TPdDiJPoRI6mlD4/2jJDAiMA8GA1UdEwEB
/wQFMAMBAf8wDwYDVR0RBAgwBocEAAAAADAKBggqhkjOPQQDAgNIADBFAiBqw9od
E/Vn31jbjiqWyC2JtCpQflAgmGXAxBk0zMNn8gIhAKCDuVrwobgcFe1futV7isbe
ZD2LMDlVsLJTAvJ/aTNy
-----END CERTIFICATE-----
`

export const privateKey = `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPBgTQIupsJEhBNFn
Xojj4bzylkJ0+H5qWKBEk8CpQ4ihRANCAASjO277vaLeYOynswAgV+J3A5UhT9xR
W/84oZn7kvgKV6ndf4LuoWDoIEWhsf3aFz+K2m/0z3Q4iT6ESOppQ+P9
-----END PRIVATE KEY-----
`
