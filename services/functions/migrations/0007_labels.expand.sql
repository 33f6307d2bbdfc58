-- An address is also a DNS label: 63 characters at most, and not Punycode. What ends it is a hash, so it stays unique.
update functions set address = 'xn-' || substr(address, 5) where address like 'xn--%';
update functions set address = left(address, 52) || right(address, 11) where length(address) > 63;
