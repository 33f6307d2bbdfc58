import { Failure } from '@icosa/kernel'

const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/**
 * Reads an address to fetch. The URL parser has already undone every disguise of the host (percent-encoding, capitals,
 * full-width letters, numbers in octal or hex), so all later steps look at the one spelling that is also dialled.
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
      `The address on '${url.host}' holds a user name or password: send them in the Authorization header.`,
    )
  }
  if (!url.hostname.startsWith('[')) url.hostname = nameWithoutRoot(url.hostname)
  return url
}

/** `host.` and `host` are one name; without the dot it is also what certificates and virtual hosts are called. */
function nameWithoutRoot(hostname: string): string {
  const name = hostname.replace(/\.$/, '')
  if (!NAME.test(name)) throw new Failure('invalid', `'${hostname}' is not a host name that can be fetched from.`)
  return name
}
