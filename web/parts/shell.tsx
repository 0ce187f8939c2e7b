/** A place: what leads around in it at the side (in a drawer on a phone), and the place itself. */
import { Menu as MenuIcon, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useLocation } from "wouter";
import { Button } from "./button";
import "./shell.css";

type Props = { side: ReactNode; sideName: string; title: string; children: ReactNode; wide?: boolean };

export function Shell({ side, sideName, title, children, wide }: Props) {
  const [drawer, setDrawer] = useState(false);
  const [place] = useLocation();
  useEffect(() => setDrawer(false), [place]);
  useEffect(() => {
    document.title = `${title} · Octavo`;
  }, [title]);
  const narrow = useNarrow();
  return (
    <div className="shell">
      {!narrow && <aside className="side" aria-label={sideName}>{side}</aside>}
      <main id="content" className={wide ? "place wide" : "place"} tabIndex={-1}>
        {narrow && (
          <div className="drawer-button">
            <Button small icon={<MenuIcon />} onPress={() => setDrawer(true)}>
              {sideName}
            </Button>
          </div>
        )}
        {children}
      </main>
      {narrow && (
        <ModalOverlay className="drawer-scrim" isDismissable isOpen={drawer} onOpenChange={setDrawer}>
          <Modal className="drawer">
            <Dialog className="drawer-inside" aria-label={sideName}>
              <div className="drawer-close">
                <Button look="quiet" small aria-label="Close" icon={<X />} onPress={() => setDrawer(false)} />
              </div>
              {side}
            </Dialog>
          </Modal>
        </ModalOverlay>
      )}
    </div>
  );
}

const query = typeof matchMedia === "function" ? matchMedia("(max-width: 899px)") : null;

function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(query?.matches ?? false);
  useEffect(() => {
    const look = () => setNarrow(query?.matches ?? false);
    query?.addEventListener("change", look);
    return () => query?.removeEventListener("change", look);
  }, []);
  return narrow;
}

/** The head of a place: what it is, what is known of it, and what can be done here. */
export function Head({ title, lead, note, actions, above }: { title: ReactNode; lead?: ReactNode; note?: ReactNode; actions?: ReactNode; above?: ReactNode }) {
  return (
    <header className="head">
      {above && <div className="head-above note">{above}</div>}
      <div className="head-line">
        <h1 className="grow">
          {lead && <span className="head-lead">{lead}</span>}
          {title}
        </h1>
        {actions && <div className="head-actions">{actions}</div>}
      </div>
      {note && <div className="head-note">{note}</div>}
    </header>
  );
}

export function Section({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2 className="grow">{title}</h2>
        {end}
      </div>
      {children}
    </section>
  );
}
