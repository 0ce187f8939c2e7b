/** Where a part of the page broke: a sentence instead of a blank page. */
import { Component, type ReactNode } from "react";
import { Button } from "./button";
import { Empty } from "./empty";

export class Trouble extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    // A chunk that is gone means that Octavo was updated meanwhile.
    const updated = /dynamically imported module|Importing a module/.test(error.message);
    return (
      <main id="content" className="place">
        <Empty
          title={updated ? "Octavo has been updated" : "Something broke on this page"}
          action={<Button look="primary" onPress={() => location.reload()}>Reload</Button>}
        >
          {updated ? "Reload the page to go on." : `It said: ${error.message}`}
        </Empty>
      </main>
    );
  }
}
