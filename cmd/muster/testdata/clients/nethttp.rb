# Ruby's own net/http, in the STYLE that digest_client.rb explains.
require_relative 'digest_client'

NAME = ENV.fetch('NAME')

def value(response, tag)
  response.body[%r{<#{tag}>(.*?)</#{tag}>}m, 1]
end

client = Client.new(BASE)

r = client.call('GET', "#{BASE}/hardwares.xml?per_page=5")
puts "list #{r.code} #{value(r, 'per_page')}"

r = client.call('POST', "#{BASE}/hardwares.xml", "<hardware><name>#{NAME}</name></hardware>")
puts "create #{r.code} #{value(r, 'name')}"
address = r['Location']

r = client.call('PUT', address, "<hardware><tag>#{NAME}</tag></hardware>")
puts "update #{r.code} #{value(r, 'tag')}"

r = client.call('GET', address)
puts "read #{r.code} #{value(r, 'name')} #{value(r, 'tag')}"

r = client.call('DELETE', address)
puts "delete #{r.code} #{value(r, 'name')}"

puts "gone #{client.call('GET', address).code}"
