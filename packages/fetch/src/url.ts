import { Failure } from '@icosa/kernel'

const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/**
 * Parses a URL to fetch. The URL parser normalizes every disguise of the host (percent-encoding, capitals, full-width
 * letters, octal or hex numbers), so all later steps see the spelling that is dialled.
 */
export function outboundUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null) throw new Failure('invalid', 'The address to fetch is not a URL: write it as https://host/path.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Failure('invalid', `Only http and https addresses can be fetched, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure(
      'invalid',
      `The address on '${url.host}' contains a user name or password: send them in the Authorization header.`,
    )
  }
  if (!url.hostname.startsWith('[')) url.hostname = nameWithoutRoot(url.hostname)
  return url
}

/** `host.` and `host` are the same name; certificates and virtual hosts use the latter. */
function nameWithoutRoot(hostname: string): string {
  const name = hostname.replace(/\.$/, '')
  if (!NAME.test(name)) throw new Failure('invalid', `'${hostname}' is not a valid host name to fetch from.`)
  return name
}
