/** Opens the element that the URL's fragment names, filters operations, and sends examples if a node serves the page. */
export const referenceScript = `
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target?.localName === 'details') { target.open = true; target.scrollIntoView() }
}
addEventListener('hashchange', open)
open()

const reference = document.querySelector('.reference')
const operations = [...reference.querySelectorAll('details.operation')]
const element = (name, properties, ...content) => {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...content)
  return created
}
const filter = element('input', { type: 'search' })
const count = element('span', { className: 'muted', role: 'status' })
const tools = element('div', { className: 'tools' }, element('label', {}, 'Filter ', filter), count)
reference.prepend(tools)
const texts = operations.map((one) => (one.id + ' ' + one.querySelector('summary').textContent).toLowerCase())
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean)
  operations.forEach((one, at) => { one.hidden = !words.every((word) => texts[at].includes(word)) })
  for (const group of reference.querySelectorAll('section')) group.hidden = !group.querySelector('details.operation:not([hidden])')
  const shown = operations.filter((one) => !one.hidden).length
  count.textContent = words.length > 0 ? shown + ' of ' + operations.length + ' operations' : ''
})

const { service, examples, header, scheme } = reference.dataset
const credential = (key) => (scheme === 'Basic' ? 'Basic ' + btoa('dev:' + key) : [scheme, key].filter(Boolean).join(' '))
const send = async (operation, key) => {
  const { path, headers, body } = (await (await fetch(examples)).json())[operation.id]
  const isForm = headers?.['content-type']?.includes('form')
  const form = headers?.['content-type'] === 'multipart/form-data' ? new FormData() : new URLSearchParams()
  if (isForm) for (const [name, value] of Object.entries(body)) form.append(name, value)
  const { 'content-type': type = 'application/json', ...others } = headers ?? {}
  const response = await fetch('/' + service + path, {
    method: operation.dataset.method,
    headers: { ...others, ...(header && { [header]: credential(key) }), ...(body !== undefined && !isForm && { 'content-type': type }) },
    ...(body !== undefined && { body: isForm ? form : typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  try { return response.status + '\\n' + JSON.stringify(JSON.parse(text), null, 2) } catch { return response.status + '\\n' + text }
}
if (location.pathname.startsWith('/docs/')) {
  const key = element('input', { value: 'icosa-dev-key', autocomplete: 'off', spellcheck: false })
  if (header) tools.append(element('label', {}, 'Key ', key))
  for (const operation of operations.filter(({ dataset }) => 'send' in dataset)) {
    const button = element('button', { type: 'button' }, 'Send to this node')
    const result = element('pre', { className: 'printed', tabIndex: 0, role: 'status', hidden: true })
    button.addEventListener('click', async () => {
      result.textContent = await send(operation, key.value).catch(String)
      result.hidden = false
    })
    operation.querySelector('.code').after(button, result)
  }
}
`
