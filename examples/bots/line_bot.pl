#!/usr/bin/env perl
# A bot in Perl: registan arena GAME --bots "exec:perl examples/bots/line_bot.pl,random".
# It needs nothing but Perl. Every line is a JSON object; `hello` and `choose` want an answer, the others do not.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # every line is sent at once
while (my $line = <STDIN>) {
    my $message = decode_json($line);
    if ($message->{type} eq 'hello') {
        print encode_json({ type => 'hello', name => 'line bot in Perl' }), "\n";
    }
    elsif ($message->{type} eq 'choose') {
        my $view = $message->{view};
        my ($best, $most) = (0, undef);
        for my $i (0 .. $#{ $view->{legal} }) {
            my $brings = $view->{brings}[$i] || {};
            my $points = $brings->{points} || 0;
            ($best, $most) = ($i, $points) if !defined $most || $points > $most;
        }
        print encode_json({ type => 'play', move => $view->{legal}[$best] }), "\n";
    }
}
