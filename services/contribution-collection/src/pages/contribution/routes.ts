import { Failure } from '@icosa/kernel'
import { html } from '@icosa/pages'
import type { FastifyInstance } from 'fastify'
import { find } from '../../contributions/store.ts'
import { type ShownContribution, shownContributions } from '../../contributions/view.ts'
import { serviceName } from '../../names.ts'
import { anonymous } from '../../search/feeds.ts'
import type { Host } from '../calls.ts'
import { page, send } from '../layout.ts'

/** Web pages of public contributions. */
export function contributionRoutes(app: FastifyInstance, { platform, runtime }: Host): void {
  app.get<{ Params: { tenant: string; id: string } }>(
    `/${serviceName}/pages/:tenant/contributions/:id`,
    async ({ params: { tenant, id } }, reply) => {
      const db = platform.database.of(tenant).reading
      const searchContext = { tenant, viewer: anonymous, now: platform.clock.now(), geography: runtime.geography }
      const row = /^[1-9]\d{0,17}$/.test(id) ? await find(db, searchContext, id) : undefined
      const [contribution] = await shownContributions(
        { db, publicUrl: runtime.publicUrl, ...searchContext },
        row ? [row] : [],
      )
      if (!contribution) throw new Failure('notFound', 'This contribution does not exist or is not public.')
      return send(reply, contributionPage(contribution))
    },
  )
}

const style =
  '.text{white-space:pre-line}img,video{display:block;max-width:100%;height:auto;border-radius:var(--radius)}'

function contributionPage({ headline, body, attribution, created, place, assignment, mediaUsages }: ShownContribution) {
  const title = headline === '' ? assignment.name : headline
  const where = [place?.name, place?.country].filter(Boolean).join(', ')
  const pictures = mediaUsages.flatMap(({ artifacts }) => {
    const images = artifacts.filter(({ contentType }) => contentType.startsWith('image/'))
    return images.find(({ label }) => label === 'large') ?? images.at(-1) ?? []
  })
  return page({
    title,
    style,
    content: html`<h1>${title}</h1>
<p class="muted">${attribution === '' ? 'Anonymous' : attribution}, <time datetime="${created}">${created.slice(0, 10)}</time>${where !== '' && html`, ${where}`}</p>
${pictures.map(({ url }) => html`<img src="${new URL(url).pathname}" alt="Picture of this contribution">`)}
${body !== undefined && html`<p class="text">${body}</p>`}
<p>For <a href="${assignment.webUrl}">${assignment.name}</a></p>`,
  })
}
