# Perl with LWP.
use strict;
use warnings;
use HTTP::Request;
use LWP::UserAgent;
use URI;

my ( $base, $name ) = @ENV{qw(BASE NAME)};
my $ua = LWP::UserAgent->new( ssl_opts => { SSL_ca_file => $ENV{CA}, verify_hostname => 1 }, keep_alive => 1 );
$ua->credentials( URI->new($base)->host_port, 'Muster', $ENV{LOGIN_USER}, $ENV{LOGIN_PASSWORD} );

sub call {
    my ( $method, $address, $document ) = @_;
    my $request = HTTP::Request->new( $method, $address );
    if ( defined $document ) {
        $request->header( 'Content-Type' => 'application/xml' );
        $request->content($document);
    }
    return $ua->request($request);
}

sub value {
    my ( $response, $tag ) = @_;
    return $response->decoded_content =~ m{<$tag>(.*?)</$tag>}s ? $1 : '';
}

my $r = call( 'GET', "$base/hardwares.xml?per_page=5" );
print 'list ', $r->code, ' ', value( $r, 'per_page' ), "\n";

$r = call( 'POST', "$base/hardwares.xml", "<hardware><name>$name</name></hardware>" );
print 'create ', $r->code, ' ', value( $r, 'name' ), "\n";
my $address = $r->header('Location');

$r = call( 'PUT', $address, "<hardware><tag>$name</tag></hardware>" );
print 'update ', $r->code, ' ', value( $r, 'tag' ), "\n";

$r = call( 'GET', $address );
print 'read ', $r->code, ' ', value( $r, 'name' ), ' ', value( $r, 'tag' ), "\n";

$r = call( 'DELETE', $address );
print 'delete ', $r->code, ' ', value( $r, 'name' ), "\n";

print 'gone ', call( 'GET', $address )->code, "\n";
