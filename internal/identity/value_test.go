package identity_test

import (
	"testing"

	"muster/internal/identity"
)

func TestSerial(t *testing.T) {
	for _, bad := range []string{
		"", " ", "0", "0000000", "1111", "00-00-00", "To be filled by O.E.M.", "TO BE FILLED BY O.E.M",
		"To-Be-Filled-By-OEM", "System Serial Number",
		"Default string", "None", "N/A", "n/a", "NA", "123456789", "0123456789", "Not Specified", "Not Applicable",
		"xxxxxxxx", "........", "Chassis Serial Number",
	} {
		if got := identity.Serial(bad); got != "" {
			t.Errorf("serial %q: got key %q, want none", bad, got)
		}
	}
	for good, want := range map[string]string{
		"PF0EXAMPLE": "pf0example", " 640-HP72. ": "640hp72", "VMware-56 4d": "vmware564d", "10": "10", "Ä-1": "ä1",
	} {
		if got := identity.Serial(good); got != want {
			t.Errorf("serial %q: got key %q, want %q", good, got, want)
		}
	}
}

func TestUUID(t *testing.T) {
	for _, bad := range []string{
		"", "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
		"03000200-0400-0500-0006-000700080009",
		"00020003-0004-0005-0006-000700080009", "4BDRGGFE-0046-4710-8047-B2C04F503732",
		"4c4c4544-0034-3010-8048-b6c04f50373", "4c4c45440034-3010-8048-b6c04f503732x",
		"4c4c4544003430108048b6c04f503732", "12345678-1234-5678-90AB-CDDEEFAABBCC",
	} {
		if a, b := identity.UUID(bad); a != "" || b != "" {
			t.Errorf("UUID %q: got %q and %q, want none", bad, a, b)
		}
	}
	a, b := identity.UUID("00112233-4455-6677-8899-AABBCCDDEEFF")
	if a != "00112233-4455-6677-8899-aabbccddeeff" || b != "33221100-5544-7766-8899-aabbccddeeff" {
		t.Errorf("got %q and %q, want the UUID in lower case and in the other byte order", a, b)
	}
	if c, d := identity.UUID(b); c != b || d != a {
		t.Errorf("got %q and %q, want the byte order changed twice to be the first", c, d)
	}
}

func TestGoodMAC(t *testing.T) {
	for mac, want := range map[string]bool{
		"A4:C3:F0:12:34:56": true, "a4-c3-f0-12-34-56": true, "00:0c:29:01:02:03": true, "00:50:56:01:02:03": true,
		"": false, "00:00:00:00:00:00": false, "02:fc:00:00:00:01": false, "01:00:5e:00:00:01": false,
		"b2:58:af:16:a6:57": false,
		"08:00:27:01:02:03": false, "00:50:56:C0:00:08": false, "20:41:53:59:4e:ff": false, "A4:C3:F0:12:34": false,
		"A4:C3:F0:12:34:5G": false,
		"A4C3F0123456":      false, "A4:C3:F0:12:34:56:78:90": false,
	} {
		if got := identity.GoodMAC(mac); got != want {
			t.Errorf("MAC %q: got good %t, want %t", mac, got, want)
		}
	}
}
