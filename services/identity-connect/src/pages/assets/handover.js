// In a window opened by a frame. The frame continues with the outcome; without a frame, this window does.
const { href } = document.getElementById('outcome')
const timeoutMs = 1000
const proceed = () => location.replace(href)

if (opener === null) proceed()
else {
  const timer = setTimeout(proceed, timeoutMs)
  addEventListener('message', ({ data, origin, source }) => {
    if (origin !== location.origin || source !== opener || data !== 'taken') return
    clearTimeout(timer)
    close()
  })
  // Only our own pages receive it: the outcome is for the application, whichever page opened this window.
  opener.postMessage({ outcome: href }, location.origin)
}
