/**
 * The ways in which a page tries to be the person who presses the button. Each runs in the page.
 * @module
 */

/** A link that asks first, and the address that it names. */
export interface Asked {
  link: string;
  address: string;
}

/** What the page does; it may go on after it is done. */
export const PRESSING: readonly { way: string; press(asked: Asked): void }[] = [
  { way: "going there", press: ({ link }) => void (location.href = link) },
  {
    way: "a form",
    press: ({ link }) => {
      document.body.innerHTML = `<form method="post" action="${link}"><input name="a" value="b"></form>`;
      document.forms[0]?.submit();
    },
  },
  {
    way: "a form to ?url=",
    press: ({ address }) => {
      document.body.innerHTML = `<form method="post" action="/__proxy__/?url=${address}"></form>`;
      document.forms[0]?.submit();
    },
  },
  {
    way: "its own click in a frame",
    press: ({ link }) => {
      const frame = document.createElement("iframe");
      frame.onload = () => frame.contentDocument?.querySelector("button")?.click();
      frame.src = link;
      document.body.append(frame);
    },
  },
  {
    way: "its own click in a window",
    press: ({ link }) => {
      const opened = open(link);
      setTimeout(() => opened?.document.querySelector("button")?.click(), 300);
    },
  },
  {
    way: "what stands in the form",
    press: async ({ link }) => {
      const text = await fetch(link, { headers: { accept: "text/html" } }).then((answer) => answer.text());
      document.body.innerHTML = text;
      document.forms[0]?.submit();
    },
  },
];
