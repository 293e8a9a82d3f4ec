package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestHardware shows all that is known of drives, memory and adapters, and each
// once.
func TestHardware(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/hardwares", `<hardware><name>lej-1</name>
		<drives><drive><name>C:</name><drive-name>System</drive-name><drive-type>Local</drive-type><total-space>1000</total-space><free-space>50</free-space></drive>
			<drive><name>D:</name><drive-type>Optical</drive-type><total-space>700</total-space></drive><drive><name>E:</name><free-space>30</free-space></drive></drives>
		<memories><memory><slot>1</slot><name>DIMM A</name><capacity>8192</capacity><memory-type>DDR5</memory-type><speed>4800</speed><description>SODIMM</description><purpose>System memory</purpose></memory>
			<memory><slot>2</slot><memory-type>DDR4</memory-type></memory></memories>
		<networks><network><description>Wi-Fi</description><status>Up</status><ip-address>10.0.0.7</ip-address><mac-address>00:11:22:33:44:55</mac-address><gateway>10.0.0.1</gateway><dhcp>10.0.0.2</dhcp></network></networks>
		<videos><video><name>Radeon</name></video></videos></hardware>`)
	got := s.SignIn(server.Administrator).Get("/app/computers/1?tab=hardware")
	for _, text := range []string{
		"<b>C:</b>", "System</span>", "Local · 50 MB free", "950 MB of 1,000 MB used", "<b>D:</b>", "Optical",
		"700 MB in total", "<b>E:</b>", "30 MB free",
		"Slot 1 · DIMM A", "8 GB", "DDR5, 4800", "SODIMM, System memory", "DDR4",
		"Wi-Fi", "10.0.0.7", "00:11:22:33:44:55", "10.0.0.1", "10.0.0.2", "<h2>Videos</h2>", "Radeon",
		"<h2>Drives</h2>", "<h2>Memory</h2>", "<h2>Network</h2>",
	} {
		if n := strings.Count(got.Body, text); n != 1 {
			t.Errorf("got %q %d times, want it once: %s", text, n, got.Body)
		}
	}
}
