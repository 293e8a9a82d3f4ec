# Ruby's own net/http with the digest that scripts of old compute by themselves: RFC 2617 with MD5 from the
# challenge of a first request. STYLE is "counted", with a rising nc, or "zero", with nc="0" in quotes and in the
# hash, always on the first challenge, as stock REST clients of Ruby have it.
require 'digest/md5'
require 'net/http'
require 'openssl'

BASE, STYLE = ENV.values_at('BASE', 'STYLE')
USER, PASSWORD = ENV.values_at('LOGIN_USER', 'LOGIN_PASSWORD')
VERBS = { 'GET' => Net::HTTP::Get, 'POST' => Net::HTTP::Post, 'PUT' => Net::HTTP::Put, 'DELETE' => Net::HTTP::Delete }.freeze

# Client keeps one connection and the last challenge.
class Client
  def initialize(base)
    uri = URI(base)
    @http = Net::HTTP.new(uri.host, uri.port, nil)
    @http.use_ssl = true
    @http.verify_mode = OpenSSL::SSL::VERIFY_PEER
    @http.ca_file = ENV['CA']
    @http.start
    @count = 0
  end

  # call makes a request, and once more when it is challenged.
  def call(verb, address, document = nil)
    uri = URI(address)
    response = @http.request(request(verb, uri, document))
    return response unless response.code == '401'

    header = response['WWW-Authenticate']
    raise "challenged by #{header}" unless header.start_with?('Digest ')

    @challenge = header.scan(/(\w+)="(.*?)"/).to_h
    @count = 0
    @http.request(request(verb, uri, document))
  end

  private

  def request(verb, uri, document)
    r = VERBS[verb].new(uri.request_uri)
    raise "the user agent is #{r['User-Agent']}" unless r['User-Agent'] == 'Ruby'

    r['Authorization'] = authorization(verb, uri.request_uri) if @challenge
    r['Content-Type'] = 'application/xml' if document
    r.body = document
    r
  end

  def authorization(verb, target)
    @count += 1
    nc = STYLE == 'zero' ? '0' : format('%08x', @count)
    cnonce = Digest::MD5.hexdigest("#{Time.now.to_f}#{rand(65_535)}")
    ha1 = Digest::MD5.hexdigest("#{USER}:#{@challenge['realm']}:#{PASSWORD}")
    ha2 = Digest::MD5.hexdigest("#{verb}:#{target}")
    response = Digest::MD5.hexdigest([ha1, @challenge['nonce'], nc, cnonce, @challenge['qop'], ha2].join(':'))
    quoted = STYLE == 'zero' ? %(nc="#{nc}") : "nc=#{nc}"
    [%(Digest username="#{USER}"), %(realm="#{@challenge['realm']}"), %(qop="#{@challenge['qop']}"), %(uri="#{target}"),
     %(nonce="#{@challenge['nonce']}"), quoted, %(cnonce="#{cnonce}"), %(response="#{response}")].join(', ')
  end
end
