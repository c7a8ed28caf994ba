// Two regions that screen readers read out: results politely, refusals immediately.

export function announce(text: string, { assertive = false } = {}): void {
  const region = document.getElementById(assertive ? 'announce-assertive' : 'announce-polite')
  if (!region) return
  // Makes screen readers read the same text a second time.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text
}

export function LiveRegions() {
  return (
    <>
      <div id="announce-polite" role="status" className="only-read" />
      <div id="announce-assertive" role="alert" className="only-read" />
    </>
  )
}
