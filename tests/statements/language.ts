import { type Answer, type Node, until } from './statements.ts'

export const unknownId = '11111111-1111-4111-8111-111111111111'
export const isId = (value: unknown) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value))
export const isDone = ({ status, json }: Answer) =>
  status === 200 && json?.code === 'Success' && json.message === 'Operation Successful'
export const namesIn = ({ json }: Answer, field = 'name'): string[] =>
  (Array.isArray(json) ? json : []).map((item: Record<string, string>) => item[field] ?? '')

/** Calls and checks of a tenant. */
export function languageOn(node: Node) {
  const { caller, holds, instance } = node
  const send = caller('language-authoring')
  return {
    send,
    /** Expects a failure with status, code and a message. */
    refuses(statement: string, { status, json, text }: Answer, expected: number, code: string) {
      const isExpected = status === expected && json?.error?.code === code && json.error.message !== ''
      holds(`${statement} is ${expected} ${code}`, isExpected, [status, text])
    },
    /** Expects the answer to a successful change. */
    succeeds(statement: string, answer: Answer) {
      holds(`${statement} is 200 Success`, isDone(answer), [answer.status, answer.text])
    },
    /** Creates an app and returns the path of its version. */
    async newApp(name: string, more: object = {}) {
      const appId: string = (await send('POST', '/apps/', { name, culture: 'en-us', ...more })).json
      return { appId, at: `/apps/${appId}/versions/0.1` }
    },
    /** Trains a version and waits for its end. */
    async trained(at: string): Promise<Answer> {
      const begun = await send('POST', `${at}/train`)
      await instance.app.settle()
      await until(async () => (await send('GET', `${at}/`)).json.trainingStatus === 'Trained')
      return begun
    },
  }
}

/** States that a list starts at `skip`, has `take` items, and refuses invalid values. */
export async function pagesHold(node: Node, path: string, of = (answer: Answer): unknown[] => answer.json) {
  const { holds } = node
  const { send, refuses } = languageOn(node)
  const shown = path.split('/').slice(5).join('/')
  const page = async (query: string) => JSON.stringify(of(await send('GET', `${path}?${query}`)))
  const all = of(await send('GET', path))
  const part = await page('skip=1&take=1')
  holds(`GET ${shown} begins at skip and has take`, all.length > 1 && part === JSON.stringify(all.slice(1, 2)), part)
  const usual = await page('skip=0&take=500')
  holds(`GET ${shown} begins with the first, and take may be 500`, usual === JSON.stringify(all), usual)
  for (const query of ['take=501', 'skip=-1'])
    refuses(`GET ${shown}?${query}`, await send('GET', `${path}?${query}`), 400, 'BadArgument')
}
