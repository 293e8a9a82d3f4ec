# The documents of a stock Ruby REST client: ActiveSupport makes a hash of what it reads, by type="array", and XML of the
# hash, with singulars of its own. Each computer is saved back untouched, and once as a client that knows nothing of
# arrays has it.
require 'active_support'
require 'active_support/core_ext/array/conversions'
require 'active_support/core_ext/hash/conversions'
require_relative 'digest_client'

COLLECTIONS = { 'memories' => 'memory', 'drives' => 'drive', 'bioses' => 'biose' }.freeze

client = Client.new(BASE)
list = Hash.from_xml(client.call('GET', "#{BASE}/hardwares.xml?per_page=5").body)['hardwares']
puts "list #{list['page']} #{list['per_page']} #{list['total_entries']} #{list['hardware'].map { |h| h['id'] }.join(' ')}"

list['hardware'].each do |item|
  before = client.call('GET', item['href']).body
  computer = Hash.from_xml(before)['hardware']
  wrong = computer.values_at('videos', 'mice', *COLLECTIONS.keys).reject { |c| c.is_a?(Array) }
  raise "not arrays: #{wrong}" unless wrong.empty?

  doubled = computer.merge(COLLECTIONS.to_h { |plural, singular| [plural, { singular => computer[plural] }] })
  [computer, doubled].each do |hash|
    saved = client.call('PUT', item['href'], hash.to_xml(root: 'hardware'))
    puts "save #{item['id']} #{saved.code} #{saved.body == before ? 'same' : saved.body}"
  end
end
