/** A minimal HTTP browser: cookies by path, forms, single redirects. */
export interface Page {
  readonly url: URL
  readonly status: number
  readonly location: URL | undefined
  readonly headers: Headers
  readonly text: string
}

interface Cookie {
  readonly value: string
  readonly path: string
}

type Fields = Readonly<Record<string, string>>

export interface Browser {
  get(url: string | URL, headers?: Fields): Promise<Page>
  post(url: string | URL, form: Fields, headers?: Fields): Promise<Page>
  /** Follows redirects within this host. */
  open(url: string | URL): Promise<Page>
  /** Follows the redirect of a page, if it is to this host. */
  follow(page: Page): Promise<Page>
  /** Submits the form of a page whose action has this ending, with its hidden fields. */
  submit(page: Page, action: string, fields?: Fields): Promise<Page>
  readonly cookies: Map<string, Cookie>
}

/** `defaultHeaders` are sent with every request. */
export function browser(origin: string, defaultHeaders: Fields = {}): Browser {
  const cookies = new Map<string, Cookie>()

  async function send(to: string | URL, init: RequestInit = {}): Promise<Page> {
    const url = new URL(to, origin)
    const cookie = [...cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html,*/*;q=0.8', ...(cookie && { cookie }), ...defaultHeaders, ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) storeCookie(line, url)
    const location = response.headers.get('location')
    return {
      url,
      status: response.status,
      location: location === null ? undefined : new URL(location, url),
      headers: response.headers,
      text: await response.text(),
    }
  }

  function storeCookie(line: string, url: URL): void {
    const [pair = '', ...attributes] = line.split(/; */)
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    const value = pair.slice(at + 1)
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? url.pathname
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
    else cookies.set(name, { value, path })
  }

  const follow = async (page: Page): Promise<Page> => {
    let at = page
    for (let hops = 0; at.location && at.location.origin === new URL(origin).origin && hops < 20; hops++)
      at = await send(at.location)
    return at
  }
  const post = (url: string | URL, form: Fields, headers?: Fields) =>
    send(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { origin: new URL(origin).origin, ...headers },
    })

  return {
    cookies,
    get: (url, headers = {}) => send(url, { headers }),
    post,
    follow,
    open: async (url) => follow(await send(url)),
    async submit(page, action, fields = {}) {
      const forms = [...page.text.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)]
      const form = forms.find(([, to = '']) => plain(to).endsWith(action))
      if (!form) throw new Error(`no form to ${action} on ${page.url}: ${page.status} ${page.text.slice(0, 400)}`)
      const [, to = '', inner = ''] = form
      const hidden = [...inner.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
        plain(/name="([^"]*)"/.exec(input)?.[1] ?? ''),
        plain(/value="([^"]*)"/.exec(input)?.[1] ?? ''),
      ])
      return post(new URL(plain(to), page.url), { ...Object.fromEntries(hidden), ...fields })
    },
  }
}

const plain = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
