package demo

import "strconv"

// scatter returns a number of the given bits that looks like chance. Distinct
// numbers below 1<<bits give distinct ones: each step can be undone.
func scatter(n uint64, bits uint) uint64 {
	mask := uint64(1)<<bits - 1
	n = (n ^ seed) * 0x9e3779b97f4a7c15 & mask
	n ^= n >> (bits / 2)
	n = n * 0xd1342543de82ef95 & mask
	return n ^ n>>(bits/2)
}

// code returns n as so many letters and digits that look like chance, the
// prefix before them. It is distinct for distinct n below 1<<(5*digits).
func code(prefix string, n, digits int) string {
	const alphabet = "0123456789ABCDEFGHJKLMNPQRSTVWXY"
	b := make([]byte, len(prefix)+digits)
	rest := scatter(uint64(n), uint(5*digits))
	for i := copy(b, prefix); i < len(b); i++ {
		b[i] = alphabet[rest%32]
		rest /= 32
	}
	return string(b)
}

// adaptersEach is how many MAC addresses are set aside for a computer.
const adaptersEach = 8

// mac returns the address of a computer's network adapter. Its last three bytes alone are unique, for up to two
// million computers.
func mac(maker string, computer, adapter int) string {
	const hex = "0123456789ABCDEF"
	rest := scatter(uint64(computer*adaptersEach+adapter), 24)
	b := append(make([]byte, 0, len("00:00:00:00:00:00")), maker...)
	for range 3 {
		b = append(b, ':', hex[rest>>4&15], hex[rest&15])
		rest >>= 8
	}
	return string(b)
}

// An address is an IPv4 address in the network of a site. Hosts end on 2 to
// 251, so that gateways and printers find a place beside them.
type address struct{ site, block, subnet, host int }

// addressOf returns a computer's address. It is distinct for the first million
// of computers; small organisations are spread over 32 subnets a site.
func addressOf(site, computer int) address {
	const subnets, hosts = 32, 250
	part := computer / (subnets * hosts)
	n := computer % (subnets * hosts) * 7919 % (subnets * hosts) // coprime, so that none is met twice
	return address{
		site:  site,
		block: part / 8 % 16, subnet: part%8*subnets + n/hosts,
		host: 2 + n%hosts,
	}
}

// at returns another address of the same subnet.
func (a address) at(host int) address { a.host = host; return a }

// String returns the address in dotted form.
func (a address) String() string {
	b := append(make([]byte, 0, 15), "10."...)
	b = append(strconv.AppendInt(b, int64(16*(a.site+1)+a.block), 10), '.')
	b = append(strconv.AppendInt(b, int64(a.subnet), 10), '.')
	return string(strconv.AppendInt(b, int64(a.host), 10))
}

// padded returns n with zeros before it, in at least the given digits.
func padded(n, digits int) string {
	text := strconv.Itoa(n)
	for len(text) < digits {
		text = "0" + text
	}
	return text
}
