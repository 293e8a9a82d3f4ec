package kind

import (
	"strings"

	"muster/internal/markup"
)

// header begins every XML document.
const header = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// xmlPlan returns the plan of a record's element, without its fields.
func xmlPlan(item string, depth int) plan {
	in := strings.Repeat("  ", depth)
	return plan{format: XML, open: in + "<" + item + ">\n", close: in + "</" + item + ">\n"}
}

// xmlStep returns how a field is written.
func xmlStep(f *Field, depth int) step {
	in := strings.Repeat("  ", depth+1)
	st := step{frame: xmlFrame(in, f.Name)}
	switch f.Type {
	case List:
		st.open = in + "<" + f.Name + ` type="array">` + "\n"
		st.close = in + st.close
		st.null = in + "<" + f.Name + ` type="array"/>` + "\n"
		st.items = f.Items.plan(XML, depth+2, func(f *Field) bool { return !f.Hidden })
	case PersonRef:
		st.open += "\n"
		st.close = in + st.close
		for _, name := range f.Shows {
			st.parts = append(st.parts, xmlFrame(in+"  ", name))
		}
	}
	return st
}

// xmlFrame returns the element around a value.
func xmlFrame(in, name string) frame {
	return frame{in + "<" + name + ">", "</" + name + ">\n", in + "<" + name + ` nil="true"/>` + "\n"}
}

func appendXMLServices(b []byte, services []Service) []byte {
	b = append(b, header+"<services>\n"...)
	for _, s := range services {
		b = append(b, "  <service>\n    <href>"...)
		b = markup.AppendText(b, s.Href)
		b = append(b, "</href>\n    <name>"...)
		b = markup.AppendText(b, s.Name)
		b = append(b, "</name>\n  </service>\n"...)
	}
	return append(b, "</services>\n"...)
}

func appendXMLErrors(b []byte, faults []string) []byte {
	b = append(b, header+"<errors>\n"...)
	for _, fault := range faults {
		b = append(b, "  <error>"...)
		b = markup.AppendText(b, fault)
		b = append(b, "</error>\n"...)
	}
	return append(b, "</errors>\n"...)
}
