import { wireName } from './message-bytes.ts';

/** Hexadecimal of a text. */
const text = (value: string) => Buffer.from(value).toString('hex');
/** Hexadecimal of a name of plain letters. */
export const name = (value: string) => Buffer.from(wireName(value)).toString('hex');

/** Data of each type: octets in hexadecimal (blanks are for readability), and text. */
export const rdataRows: readonly (readonly [type: string, rdata: string, data: string])[] = [
  ['A', 'c0000201', '192.0.2.1'],
  ['AAAA', '20010db8 00000000 00000000 00000001', '2001:db8::1'],
  ['AAAA', '00000000 00000000 0000ffff c0000201', '::ffff:192.0.2.1'],
  ['NS', name('NS1.Example'), 'ns1.example.'],
  ['NS', '00', '.'],
  ['NS', '04 612e6220 03 00c3a9 00', 'a\\.b\\032.\\000\\195\\169.'],
  ['CNAME', name('www.example'), 'www.example.'],
  ['DNAME', name('example'), 'example.'],
  ['PTR', name('host.example'), 'host.example.'],
  ['MB', name('host.example'), 'host.example.'],
  ['MINFO', `${name('a')} ${name('b')}`, 'a. b.'],
  [
    'SOA',
    `${name('ns.example')} 04 612e6220 ${name('example')} 78563412 00001c20 00000e10 00127500 ffffffff`,
    'ns.example. a\\.b\\032.example. 2018915346 7200 3600 1209600 4294967295',
  ],
  ['MX', `000a ${name('Mail.example')}`, '10 mail.example.'],
  ['MX', '0000 00', '0 .'],
  ['RP', `${name('admin.example')} 00`, 'admin.example. .'],
  ['AFSDB', `0001 ${name('afs.example')}`, '1 afs.example.'],
  ['RT', `000a ${name('relay.example')}`, '10 relay.example.'],
  ['KX', `000a ${name('kx.example')}`, '10 kx.example.'],
  ['PX', `000a ${name('a')} ${name('b')}`, '10 a. b.'],
  ['TXT', `0b ${text('v=spf1 -all')}`, '"v=spf1 -all"'],
  ['TXT', '00', '""'],
  ['TXT', '00 02 6162 00', '"" "ab" ""'],
  ['TXT', '09 22 5c 00 0a 1b 7f c3 a9 7e', '"\\"\\\\\\000\\010\\027\\127\\195\\169~"'],
  ['SPF', `0b ${text('v=spf1 -all')}`, '"v=spf1 -all"'],
  ['HINFO', `03 ${text('PC"')} 02 c3a9`, '"PC\\"" "\\195\\169"'],
  ['HINFO', '00 00', '"" ""'],
  ['SRV', `0001 0002 01bb ${name('sip.example')}`, '1 2 443 sip.example.'],
  [
    'NAPTR',
    `0064 000a 01 ${text('u')} 07 ${text('E2U+sip')} 0a ${text('!^.*$!\\\\1!')} 00`,
    '100 10 "u" "E2U+sip" "!^.*$!\\\\\\\\1!" .',
  ],
  ['CAA', `00 05 ${text('issue')} ${text('ca.example; a="1"')}`, '0 issue "ca.example; a=\\"1\\""'],
  ['CAA', `80 09 ${text('ISSUEwild')}`, '128 ISSUEwild ""'],
  ['CAA', '00 02 6920 41', '\\# 5 0002692041'],
  ['URI', `000a 0001 ${text('https://example/')}`, '10 1 "https://example/"'],
  ['DS', 'ec45 05 01 2bb183af5f22588179a53b0a', '60485 5 1 2bb183af5f22588179a53b0a'],
  ['DS', 'ec45 05 01', '\\# 4 ec450501'],
  ['CDS', '0000 00 00 00', '0 0 0 00'],
  ['DLV', 'ec45 05 01 ff', '60485 5 1 ff'],
  ['DNSKEY', '0101 03 0d fbff01', '257 3 13 +/8B'],
  ['DNSKEY', '0101 04 0d fbff01', '257 4 13 +/8B'],
  ['DNSKEY', '0101 03 0d', '257 3 13'],
  ['KEY', '0200 03 05 ff', '512 3 5 /w=='],
  ['CDNSKEY', '0000 03 00 00', '0 3 0 AA=='],
  ['TLSA', '03 01 01 d2abde24', '3 1 1 d2abde24'],
  ['SMIMEA', '03 00 00 30', '3 0 0 30'],
  ['SSHFP', '04 02 a87f1b68', '4 2 a87f1b68'],
  ['SSHFP', '04 03 a87f1b68', '4 3 a87f1b68'],
  ['SSHFP', '04 02', '\\# 2 0402'],
  ['OPENPGPKEY', '9901', 'mQE='],
  ['ZONEMD', '00000001 01 01 abcd', '1 1 1 abcd'],
  [
    'RRSIG',
    `0001 05 03 00015180 3e7c9dd7 3e5510d7 0a5a ${name('Example')} fbff`,
    'A 5 3 86400 20030322173103 20030220173103 2650 example. +/8=',
  ],
  [
    'RRSIG',
    'fff0 ff 00 ffffffff ffffffff 00000000 0000 00 00',
    'TYPE65520 255 0 4294967295 21060207062815 19700101000000 0 . AA==',
  ],
  [
    'SIG',
    `0006 05 03 00015180 80000000 7fffffff 0a5a ${name('Example')} fbff`,
    'SOA 5 3 86400 20380119031408 20380119031407 2650 example. +/8=',
  ],
  // RFC 4034 4.3.
  [
    'NSEC',
    `${name('host.example.com')} 0006 400100000003 041b ${'00'.repeat(26)} 20`,
    'host.example.com. A MX RRSIG NSEC TYPE1234',
  ],
  ['NSEC', name('x'), 'x.'],
  // Signed as it is sent (RFC 6840 5.1).
  ['NSEC', `${name('A.eXample')} 00 01 40`, 'A.eXample. A'],
  // RFC 4034 4.1.2: no zero octets at the end of a window.
  ['NSEC', `${name('x')} 00 02 4000`, '\\# 7 01780000024000'],
  // RFC 5155, appendix A.
  [
    'NSEC3',
    '01 01 000c 04 aabbccdd 14 174eb2409fe28bcb4887a1836f957f0a8425e27b 0007 22010000000290',
    '1 1 12 aabbccdd 2t7b4g4vsa5smi47k61mv5bv1a22bojr NS SOA MX RRSIG DNSKEY NSEC3PARAM',
  ],
  ['NSEC3', '01 00 0000 00 01 ff', '1 0 0 - vs'],
  ['NSEC3', '01 00 0000 00 00', '\\# 6 010000000000'],
  ['NSEC3PARAM', '01 00 000c 04 aabbccdd', '1 0 12 aabbccdd'],
  ['NSEC3PARAM', '01 00 0000 00', '1 0 0 -'],
  ['CSYNC', '00000042 0003 0004 60000008', '66 3 A NS AAAA'],
  // RFC 9460, appendix D.
  ['SVCB', `0000 ${name('foo.example.com')}`, '0 foo.example.com.'],
  ['HTTPS', `0001 ${name('Foo.example')}`, '1 Foo.example.'],
  ['HTTPS', '0001 00', '1 .'],
  ['SVCB', `0010 ${name('foo.example.com')} 0003 0002 0035`, '16 foo.example.com. port=53'],
  ['SVCB', `0001 00 029b 0005 ${text('hello')}`, '1 . key667="hello"'],
  ['SVCB', '0001 00 029b 0000', '1 . key667'],
  ['SVCB', `0001 00 029b 0009 ${text('hello')} d2 ${text('qoo')}`, '1 . key667="hello\\210qoo"'],
  [
    'SVCB',
    '0001 00 0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001',
    '1 . ipv6hint=2001:db8::1,2001:db8::53:1',
  ],
  [
    'HTTPS',
    `0010 ${name('foo.example.org')} 0000 0004 0001 0004 0001 0009 02 ${text('h2')} 05 ${text('h3-19')} 0004 0004 c0000201`,
    '16 foo.example.org. mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
  ],
  [
    'SVCB',
    `0010 00 0001 000c 08 ${text('f\\oo,bar')} 02 ${text('h2')}`,
    '16 . alpn="f\\\\\\\\oo\\\\,bar,h2"',
  ],
  [
    'HTTPS',
    `0001 00 0001 0003 02 ${text('h3')} 0002 0000 0005 0002 fbff 0007 000a ${text('/q{?dns}"\\')} 0008 0000`,
    '1 . alpn="h3" no-default-alpn ech=+/8= dohpath="/q{?dns}\\"\\\\" ohttp',
  ],
  ['NULL', 'abcd', '\\# 2 abcd'],
  // RFC 1876 4: a building, north and west, below the sea.
  ['LOC', '00 33 16 13 89172dd0 70be15f0 00988d20', '42 21 54.000 N 71 6 18.000 W -24.00m 30m 10000m 10m'],
  ['LOC', '00 12 16 13 80000000 80000000 00989680', '0 0 0.000 N 0 0 0.000 E 0.00m 1m 10000m 10m'],
  [
    'LOC',
    '00 00 10 99 6cb02700 a69fb200 ffffffff',
    '90 0 0.000 S 180 0 0.000 E 42849672.95m 0m 0.01m 90000000m',
  ],
  ['LOC', '00 51 16 13 7ffffc17 80000001 00000000', '0 0 1.001 S 0 0 0.001 E -100000.00m 0.50m 10000m 10m'],
  ['LOC', '00 1a 16 13 80000000 80000000 00989680', '\\# 16 001a1613800000008000000000989680'],
  ['LOC', '00 12 16 13 ffffffff 80000000 00989680', '\\# 16 00121613ffffffff8000000000989680'],
  // Nobody knows the format of another version.
  ['LOC', '01 abcd', '\\# 3 01abcd'],
  ['LOC', '00', '\\# 1 00'],
  // RFC 7043 3.2, 4.2.
  ['EUI48', '00005e00532a', '00-00-5e-00-53-2a'],
  ['EUI64', '00005eef1000002a', '00-00-5e-ef-10-00-00-2a'],
  ['EUI48', '00005e0053', '\\# 5 00005e0053'],
  ['TYPE65280', '', '\\# 0'],
  ['TYPE65280', '00ff', '\\# 2 00ff'],
  ['ANY', 'ff', '\\# 1 ff'],
];
