/** Where the frame is shown. `hide` leaves it alive, for the last words of the form; `remove` ends it. */
export interface Surface {
  hide(): void
  remove(): void
}

export function showInContainer(frame: HTMLIFrameElement, container: Element): Surface {
  container.append(frame)
  return {
    hide() {
      frame.style.display = 'none'
    },
    remove: () => frame.remove(),
  }
}
